/**
 * Whether requests wait longer and longer: the mean wait of the second half of a window against that of the first.
 */

import type { WaitMetric } from "./metrics.ts";
import type { Point } from "./points.ts";

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
 * The mean wait over points, in milliseconds; undefined with fewer than 20 requests, or when the counters were reset.
 * Never throws.
 */
export function meanWaitMs(
  points: readonly WaitPoint[],
  requestsNeeded = REQUESTS_NEEDED,
): number | undefined {
  const waits = points.flatMap(({ wait }) => wait === undefined ? [] : [wait]);
  const [first] = waits;
  const last = waits.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const count = last.count - first.count;
  const sumS = last.sumS - first.sumS;
  return count < requestsNeeded || sumS < 0 ? undefined : sumS / count * 1_000;
}
