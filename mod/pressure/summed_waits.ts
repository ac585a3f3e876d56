/** How long requests waited, over several instances of which each counts for itself. */

import type { WaitMetric } from "./metrics.ts";

/** What each instance told last, and what all of them have counted since the first look. */
export interface SummedWaits {
  readonly last: ReadonlyMap<string, WaitMetric>;
  readonly total: WaitMetric;
}

/** Before the first look. */
export const NO_WAITS: SummedWaits = { last: new Map(), total: { sumS: 0, count: 0 } };

/**
 * Adds what was counted since the look before. An instance that is new begins at what it tells; one that counts less
 * than before began anew, and all of its count is since. One that tells nothing now goes on from where it was. Never
 * throws.
 */
export function addWaits(before: SummedWaits, now: ReadonlyMap<string, WaitMetric>): SummedWaits {
  const last = new Map(before.last);
  let { sumS, count } = before.total;
  for (const [name, wait] of now) {
    const old = before.last.get(name);
    last.set(name, wait);
    if (old === undefined) continue;
    const isReset = wait.count < old.count || wait.sumS < old.sumS;
    sumS += wait.sumS - (isReset ? 0 : old.sumS);
    count += wait.count - (isReset ? 0 : old.count);
  }
  return { last, total: { sumS, count } };
}
