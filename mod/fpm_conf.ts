/**
 * Configuration files of php-fpm, as far as they name pools.
 *
 *     [global]
 *     include=/etc/php/8.2/fpm/pool.d/*.conf
 *     [www]
 *     pm = dynamic
 *
 * @see https://www.php.net/manual/en/install.fpm.configuration.php
 */

/** What one file names. */
export interface FpmConf {
  /** Its pools, in their order. */
  readonly pools: readonly string[];
  /** Patterns of further files. */
  readonly includes: readonly string[];
}

/** Reads the names of pools and includes; all other settings are passed over. Never throws. */
export function parseFpmConf(text: string): FpmConf {
  const pools: string[] = [];
  const includes: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const section = /^\[([^\]]+)\]/.exec(line)?.[1]?.trim();
    if (section !== undefined && section.toLowerCase() !== "global") pools.push(section);
    const include = /^include\s*=\s*(.*?)\s*(?:;.*)?$/.exec(line)?.[1];
    if (include !== undefined && include !== "") includes.push(include.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return { pools, includes };
}
