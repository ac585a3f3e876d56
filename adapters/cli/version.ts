/** The version, which stands in `deno.json` alone. */

import manifest from "../../deno.json" with { type: "json" };

/** Version of loadweir, as `0.1.0`. */
export const VERSION: string = manifest.version;

/** `loadweir 0.1.0 x86_64-unknown-linux-gnu, Deno 2.7.11` */
export function versionLine(): string {
  return `loadweir ${VERSION} ${Deno.build.target}, Deno ${Deno.version.deno}`;
}
