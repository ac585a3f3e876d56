/** The pools that a php-fpm is configured for, also those without workers at the moment. */

import { parseFpmConf } from "../../mod/fpm_conf.ts";
import { matchesGlob } from "../../mod/glob.ts";
import { maybeValue } from "../../mod/reading.ts";
import type { HostFiles } from "./host_files.ts";

/**
 * The names of the pools in a configuration and the files it includes, each once, in their order. Never
 * throws.
 *
 * @returns Empty where the configuration cannot be read
 */
export function configuredPools(confPath: string, host: HostFiles): readonly string[] {
  const conf = parseFpmConf(maybeValue(host.readText(confPath)) ?? "");
  const included = conf.includes.flatMap((pattern) => {
    // In practice the pattern is in the last part of the path, as in pool.d/*.conf.
    const folder = pattern.slice(0, pattern.lastIndexOf("/"));
    return host.list(folder).filter(({ isFile }) => isFile).map(({ name }) => `${folder}/${name}`)
      .filter((path) => matchesGlob(pattern, path));
  });
  const pools = included.flatMap((path) => parseFpmConf(maybeValue(host.readText(path)) ?? "").pools);
  return [...new Set([...conf.pools, ...pools])];
}
