/** A figure that may be unknown: everything that it could be. A known one is a single point. */

/** From the lowest to the highest that it can be, both included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A component of which nothing is known. */
export const UNKNOWN: Interval = { low: 0, high: 1 };

/** A figure that is known. */
export function exactly(value: number): Interval {
  return { low: value, high: value };
}

/** Whether there is one value that it can have. */
export function isKnown({ low, high }: Interval): boolean {
  return low === high;
}

/** The larger of figures, each wherever it may lie. At least one is needed. */
export function maxOf(...intervals: readonly Interval[]): Interval {
  return {
    low: Math.max(...intervals.map(({ low }) => low)),
    high: Math.max(...intervals.map(({ high }) => high)),
  };
}

/** The smaller of figures, each wherever it may lie. At least one is needed. */
export function minOf(...intervals: readonly Interval[]): Interval {
  return {
    low: Math.min(...intervals.map(({ low }) => low)),
    high: Math.min(...intervals.map(({ high }) => high)),
  };
}

/** A ratio kept from 0 to 1. */
export function clampRatio(value: number): number {
  return Math.min(1, Math.max(0, value));
}
