/**
 * Names of the marker files by which other watchdogs know the load posture, as in BOA's second.sh.
 *
 *     /run/critical_load.pid   /run/max_load.pid   /run/normal_load.pid   /run/spider_load.pid
 *     /run/boa_second_auto_healing.pid
 *
 * Only whether they exist means anything.
 */

import type { Marker } from "../ladder/state.ts";

/** Where the markers are: on a BOA host where its watchdogs look for them, else in our own folder. */
export const MARKER_FOLDERS = { boa: "/run", generic: "/run/loadweir/state" } as const;

/** There while the web is being stopped, so that nobody starts it meanwhile or stops it a second time. */
export const GUARD_FILE = "boa_second_auto_healing.pid";

/** Name of the file of a tier's marker. */
export function markerFile(marker: Marker): string {
  return `${marker}.pid`;
}
