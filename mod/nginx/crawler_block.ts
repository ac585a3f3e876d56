/**
 * The crawler block: a file that SPIDER switches on and off by renaming it, as BOA's second.sh does.
 *
 *     include /data/conf/nginx_high_load.c*;     takes nginx_high_load.conf, not nginx_high_load_off.conf
 *
 * The line has to be a pattern, because nginx does not start when a plain path is not there, and the pattern
 * has to leave out the other name, because the block would never be off.
 */

import { isGlob, matchesGlob } from "../glob.ts";
import type { IncludeFinding } from "./include_search.ts";

/** The two names of the block. */
export interface CrawlerBlockPaths {
  /** While crawlers are blocked. */
  readonly on: string;
  /** While they are served. */
  readonly off: string;
}

/** Where nginx has its configuration. */
export const NGINX_FOLDER = "/etc/nginx";

/** Where the block is on a host of each kind. */
export const CRAWLER_BLOCKS: Readonly<Record<"generic" | "boa", CrawlerBlockPaths>> = {
  generic: blockIn("/etc/nginx/loadweir"),
  boa: blockIn("/data/conf"),
};

/** Which of the two names is there. `both`: a rename was made by hand, and which one counts is open. */
export type CrawlerBlockState = "on" | "off" | "both" | "absent";

/**
 * Why SPIDER could not switch the block. A closed list, so that flaws can be counted:
 * - `absent`: there is neither file
 * - `both`: there are both
 * - `not-included`: nginx does not load it
 * - `plain-include`: nginx would not start while the block is off
 * - `always-on`: nginx loads it also while it is off
 */
export type CrawlerBlockFlaw = "absent" | "both" | "not-included" | "plain-include" | "always-on";

/** What is wrong with the block; undefined when SPIDER can use it. */
export function maybeFlawOf(
  { off }: CrawlerBlockPaths,
  state: CrawlerBlockState,
  include: IncludeFinding,
): CrawlerBlockFlaw | undefined {
  if (state === "absent" || state === "both") return state;
  if (include.kind !== "included") return "not-included";
  if (include.places.some(({ pattern }) => !isGlob(pattern))) return "plain-include";
  if (include.places.some(({ pattern }) => matchesGlob(pattern, off))) return "always-on";
  return undefined;
}

function blockIn(folder: string): CrawlerBlockPaths {
  return { on: `${folder}/nginx_high_load.conf`, off: `${folder}/nginx_high_load_off.conf` };
}
