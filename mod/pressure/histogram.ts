/**
 * What histograms tell of a window: how many observations it added to each bucket, and below which value which share of
 * them lay.
 *
 * @see https://github.com/prometheus/prometheus/blob/main/promql/quantile.go
 */

import type { Histogram } from "./metrics.ts";

/** What the observations of a window added to a histogram; counts may fall from bound to bound where an exporter errs. */
export interface BucketDelta extends Histogram {
  /** Whether the histogram began again at 0 meanwhile. */
  readonly isReset: boolean;
}

/** A value below which a share of the observations lies. */
export interface Quantile {
  /** In the unit of the bounds; NaN where nothing was observed, or the buckets do not tell. */
  readonly value: number;
  /** Whether it lies above the highest finite bound: then `value` is that bound, and the true one is higher. */
  readonly isTruncated: boolean;
}

/**
 * What was observed between two samples of one histogram. Where any bucket has fallen, all of it began again, and what it
 * holds now is what was observed since. Bounds that only one of the two has are left out.
 *
 * @param hasRestarted Whether it is known from elsewhere that it began again
 */
export function bucketDelta(before: Histogram, after: Histogram, hasRestarted = false): BucketDelta {
  const bounds = commonBounds([before, after]);
  const earlier = countsAt(before, bounds);
  const later = countsAt(after, bounds);
  const isReset = hasRestarted || later.some((count, index) => count < (earlier[index] ?? 0));
  if (isReset) return { bounds, counts: later, sumS: after.sumS, isReset };
  return {
    bounds,
    counts: later.map((count, index) => count - (earlier[index] ?? 0)),
    sumS: before.sumS === undefined || after.sumS === undefined ? undefined : after.sumS - before.sumS,
    isReset,
  };
}

/**
 * Several histograms as one: counts of equal bounds are added, bounds that not all have are left out. Quantiles cannot be
 * averaged, this is what stands for it.
 *
 * @returns A histogram without buckets where the list is empty
 */
export function mergeBuckets(list: readonly Histogram[]): Histogram {
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  const bounds = commonBounds(list);
  const counts = bounds.map(() => 0);
  let sumS: number | undefined = list.length === 0 ? undefined : 0;
  for (const histogram of list) {
    for (const [index, count] of countsAt(histogram, bounds).entries()) {
      counts[index] = (counts[index] ?? 0) + count;
    }
    sumS = sumS === undefined || histogram.sumS === undefined ? undefined : sumS + histogram.sumS;
  }
  return { bounds, counts, sumS };
}

/**
 * The value below which a share of the observations lies, linear within its bucket. The first bucket begins at 0. Counts
 * that fall from bound to bound are raised to the highest before.
 *
 * @param share 0 to 1, such as 0.99
 */
export function quantileOf(
  share: number,
  { bounds, counts }: Pick<Histogram, "bounds" | "counts">,
): Quantile {
  const last = bounds.length - 1;
  if (last < 1 || bounds[last] !== Infinity) return { value: NaN, isTruncated: false };
  let highest = 0;
  const risen = bounds.map((_, index) => highest = Math.max(highest, counts[index] ?? 0));
  if (highest === 0) return { value: NaN, isTruncated: false };
  const rank = share * highest;
  const found = risen.findIndex((count) => count >= rank);
  if (found === last) return { value: bounds[last - 1] ?? NaN, isTruncated: true };
  const upper = bounds[found] ?? NaN;
  const isFirst = found <= 0;
  if (isFirst && upper <= 0) return { value: upper, isTruncated: false };
  const lower = isFirst ? 0 : bounds[found - 1] ?? NaN;
  const below = isFirst ? 0 : risen[found - 1] ?? 0;
  const within = (risen[found] ?? 0) - below;
  const value = within === 0 ? lower : lower + (upper - lower) * (rank - below) / within;
  return { value, isTruncated: false };
}

function commonBounds([first, ...others]: readonly Histogram[]): readonly number[] {
  let bounds = first?.bounds ?? [];
  for (const other of others) bounds = bounds.filter(inStep(other.bounds));
  return bounds;
}

/** The counts at some of the bounds of a histogram. */
function countsAt({ bounds, counts }: Histogram, at: readonly number[]): readonly number[] {
  const isThere = inStep(at);
  return counts.filter((_, index) => isThere(bounds[index] ?? NaN));
}

/** Tells of rising numbers, asked one after the other, which are among others that rise: each list is gone through once. */
function inStep(others: readonly number[]): (bound: number) => boolean {
  let next = 0;
  return (bound) => {
    while ((others[next] ?? Infinity) < bound) next++;
    return others[next] === bound;
  };
}
