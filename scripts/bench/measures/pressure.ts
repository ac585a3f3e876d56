/** What a sample of pressure costs. */

import { type Measurement, numbersOf } from "../measurement.ts";
import { compileBench } from "../programs.ts";

/**
 * CPU of a sample of pressure with four instances and 300 processes, back to back and each second, beside one curl of the
 * page of one instance.
 */
export async function measurePressure(): Promise<readonly Measurement[]> {
  const loop = await compileBench("pressure_loop");
  const [backToBack = NaN, spaced = NaN, curl = NaN] = await numbersOf(
    String.raw`
mkdir -p /srv/bench
cp "$PROJECT/fixtures/metrics/prom_client.txt" /srv/bench/metrics
printf 'pid /srv/bench/pid; error_log /srv/bench/log; events {} http { access_log off; root /srv/bench;
  default_type "text/plain; version=0.0.4"; server { listen 9101; listen 9102; listen 9103; listen 9104; } }' \
  >/srv/bench/nginx.conf
nginx -c /srv/bench/nginx.conf
for i in $(seq 300); do sleep 600 & done
cpus() { cpu ${loop} 9101 "$@"; }
per "$(cpus 301 0)" "$(cpus 1 0)" 0.3
per "$(cpus 31 1000)" "$(cpus 1 0)" 0.03
pages() { for i in $(seq 50); do curl -s http://127.0.0.1:9101/metrics; done; }
per "$(cpu pages)" 0 0.05
`,
    120_000,
  );
  const instead = { what: "one curl of one page", value: curl };
  return [
    {
      what: "pressure: a sample of 4 instances, 300 processes, back to back",
      unit: "ms CPU",
      loadweir: backToBack,
      instead,
    },
    { what: "pressure: the same, each second", unit: "ms CPU", loadweir: spaced, instead },
  ];
}
