/** What a counter grew by over some samples, whatever happened to it meanwhile. */

/** A counter as one sample found it. */
export interface CounterPoint {
  /** When, in milliseconds of a clock that no correction moves. */
  readonly monotonicMs: number;
  /** Undefined where the sample has no value: never 0. */
  readonly value: number | undefined;
  /** What the counter belongs to, such as pid and start of a process; another one is another counter. */
  readonly identity: string;
  /** When it began to count, in seconds since 1970, where that is told. */
  readonly createdS?: number | undefined;
}

/** What a counter grew by. */
export interface CounterIncrease {
  /** From 0, in the unit of the counter. */
  readonly increase: number;
  /** The time in which it did: a rate divides by this, not by a planned interval. */
  readonly overMs: number;
  /** How often it began again at 0. Two in one window are no counter that a decision could rest on. */
  readonly resetsCount: number;
}

/**
 * The increase over samples in their order. A sample without value is spanned. A value below the one before is a reset: the
 * counter began again at 0, so the value itself is its growth; so is a value whose counter was created later. With another
 * identity everything begins again: nothing is known across it.
 *
 * @param points Samples, the oldest first
 * @param tolerance A fall by less than so much is no reset but jitter, as in counters of the kernel; what was reached
 * before stays the mark. 0 takes each fall for a reset
 * @returns Undefined where the last identity has fewer than two values
 */
export function increaseOf(points: readonly CounterPoint[], tolerance = 0): CounterIncrease | undefined {
  let first: CounterPoint | undefined;
  let last: CounterPoint | undefined;
  let mark = 0;
  let increase = 0;
  let resetsCount = 0;
  for (const point of points) {
    if (point.identity !== (last ?? point).identity) first = last = undefined;
    if (point.value === undefined) continue;
    if (first === undefined || last === undefined) {
      first = point;
      increase = 0;
      resetsCount = 0;
      mark = point.value;
    } else if (isReset(point.value, point.createdS, last.createdS, mark, tolerance)) {
      resetsCount++;
      increase += point.value;
      mark = point.value;
    } else if (point.value > mark) {
      increase += point.value - mark;
      mark = point.value;
    }
    last = point;
  }
  if (first === undefined || last === undefined || first === last) return undefined;
  return { increase, overMs: last.monotonicMs - first.monotonicMs, resetsCount };
}

function isReset(
  value: number,
  createdS: number | undefined,
  createdBeforeS: number | undefined,
  mark: number,
  tolerance: number,
): boolean {
  if (createdS !== undefined && createdBeforeS !== undefined && createdS > createdBeforeS) return true;
  return value < mark && mark - value >= tolerance;
}
