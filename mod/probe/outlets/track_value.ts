/**
 * The number that keepalived reads from a track file.
 *
 *     0
 *
 * keepalived multiplies it with the `weight` of its `track_file` block, 1 by default, and adds it to the
 * priority of the instance, which stays within 1 to 254. Less than -253 is the fault state, in which the host
 * gives its addresses up also when nobody takes them; so is any other number than 0 under `weight 0`.
 *
 * @see https://manpages.debian.org/bookworm/keepalived/keepalived.conf.5.en.html
 */

import { freshVerdict, type Published } from "./published.ts";

/** Of a host that may have visitors: its priority is as configured. */
export const TRACK_HEALTHY = 0;

/**
 * Of a host that is out, where nobody configured a number: below every host that is well, whatever the
 * priorities, and still not the fault state, so that of hosts that are all out one keeps the addresses.
 */
export const DEFAULT_TRACK_DRAINED = -253;

/**
 * The number for a verdict; undefined where nothing is known, and what was said before stays. Never throws.
 *
 * @param drainedValue Number of a host that is out, below 0
 */
export function trackValue(published: Published, drainedValue: number): number | undefined {
  switch (freshVerdict(published)?.phase) {
    case undefined:
    case "starting":
      return undefined;
    case "in":
      return TRACK_HEALTHY;
    case "drained":
      return drainedValue;
  }
}
