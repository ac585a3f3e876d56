/** Points of a window: what was seen at a time, oldest first. */

/** Something seen at a time of the monotonic clock. */
export interface Point {
  readonly atMs: number;
}

/** What was seen last may be so old. What is older says nothing of now, however much of it there is. */
export const FRESH_MS = 2_500;

/** The points with one more, without those that are older than the window. Never throws. */
export function withPoint<T extends Point>(points: readonly T[], point: T, windowMs: number): readonly T[] {
  return [...points.filter(({ atMs }) => atMs > point.atMs - windowMs), point];
}

/**
 * How fast something grew over a window, in its unit for each second of the time that was really between. Never throws.
 *
 * @param totalOf The total so far; undefined where it was not seen
 * @returns Undefined with fewer than two points that have it, or where the newest of these is not fresh
 */
export function rateOf<T extends Point>(
  points: readonly T[],
  totalOf: (point: T) => number | undefined,
): number | undefined {
  const seen = points.flatMap((point) => {
    const total = totalOf(point);
    return total === undefined ? [] : [{ atMs: point.atMs, total }];
  });
  const [first] = seen;
  const last = seen.at(-1);
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return undefined;
  if ((points.at(-1)?.atMs ?? last.atMs) - last.atMs > FRESH_MS) return undefined;
  return (last.total - first.total) / ((last.atMs - first.atMs) / 1_000);
}

/** The mean of figures; undefined of none. Never throws. */
export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The nearest-rank quantile of figures; undefined of none. NaN counts as the largest: it stands for something that was so
 * bad that it has no figure. Never throws.
 */
export function nearestRank(values: readonly number[], quantile: number): number | undefined {
  const sorted = values.map((value) => Number.isNaN(value) ? Infinity : value).sort((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)];
  return found === Infinity && values.some(Number.isNaN) ? NaN : found;
}
