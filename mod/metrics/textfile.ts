/**
 * Where node_exporter takes the metrics of others from, as Debian starts it: `--collector.textfile.directory` is that
 * folder by default.
 *
 * @see https://github.com/prometheus/node_exporter#textfile-collector
 */
export const TEXTFILE_PATH = "/var/lib/prometheus/node-exporter/loadweir.prom";
