/**
 * Whether requests wait longer and longer: the mean wait of the second half of a window against that of the first.
 */

import type { WaitMetric } from "./metrics.ts";
import type { Point } from "./points.ts";
import { addWaits, NO_WAITS } from "./summed_waits.ts";

/** What was exported of the wait at a time. */
export interface WaitPoint extends Point {
  readonly wait: WaitMetric | undefined;
}

/** Fewer requests than these say nothing of the mean. */
const REQUESTS_NEEDED = 20;

/** The wait has grown by so much. */
const RISE = 1.5;

/** A wait below it is none that a user would notice. */
const WAIT_NEEDED_MS = 5;

/** Whether the wait is rising. Never throws. */
export function isWaitRising(points: readonly WaitPoint[]): boolean {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return false;
  const middleMs = (first.atMs + last.atMs) / 2;
  const early = meanWaitMs(points.filter(({ atMs }) => atMs <= middleMs));
  // The half begins where the first one ends.
  const boundary = points.findLastIndex(({ atMs }) => atMs <= middleMs);
  const late = meanWaitMs(points.slice(boundary));
  return early !== undefined && late !== undefined && late >= RISE * early && late >= WAIT_NEEDED_MS;
}

/**
 * The mean wait over points, in milliseconds; undefined with fewer requests than are needed. Counters that were reset
 * meanwhile count from there. Never throws.
 */
export function meanWaitMs(
  points: readonly WaitPoint[],
  requestsNeeded = REQUESTS_NEEDED,
): number | undefined {
  let waits = NO_WAITS;
  for (const { wait } of points) if (wait !== undefined) waits = addWaits(waits, new Map([["", wait]]));
  const { sumS, count } = waits.total;
  return count < requestsNeeded ? undefined : sumS / count * 1_000;
}
