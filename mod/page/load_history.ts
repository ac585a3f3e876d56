/**
 * The load of the last hour, at most one value for each ten seconds: the highest of them, so that a peak is never lost.
 *
 * It takes the same room whatever the interval of the passes is: 361 slots in four arrays, 8 KiB. A pass writes one slot.
 */

/** How far back it goes. */
export const HISTORY_MS = 3_600_000;

/** Time of one slot: a pass each 5 s gives two values, and a chart of 360 points is as wide as can be told apart. */
export const SPAN_MS = 10_000;

/** One more than an hour holds, as the newest one is not over yet. */
const SLOT_COUNT = HISTORY_MS / SPAN_MS + 1;

/** What one pass saw. */
export interface LoadPoint {
  /** Milliseconds since boot. */
  readonly atMs: number;
  /** Percent of the CPUs; undefined where the load could not be read. */
  readonly load1Percent: number | undefined;
  readonly load5Percent: number | undefined;
  /** Whether the web was paused. */
  readonly isHeld: boolean;
}

/** What the passes of ten seconds saw: the highest loads that were known. */
export interface LoadSpan extends Omit<LoadPoint, "atMs"> {
  /** When it began, milliseconds since boot. */
  readonly startMs: number;
}

/** The last hour. */
export interface LoadHistory {
  readonly note: (point: LoadPoint) => void;
  /** The spans in which there was a pass, oldest first; of the hour before this moment alone. */
  readonly spans: (nowMs: number) => readonly LoadSpan[];
}

/** An hour of which nothing is known yet. */
export function createLoadHistory(): LoadHistory {
  /** Number of the span that each slot holds, counted from boot; -1 is none. */
  const numbers = new Int32Array(SLOT_COUNT).fill(-1);
  const load1 = new Float64Array(SLOT_COUNT);
  const load5 = new Float64Array(SLOT_COUNT);
  const held = new Uint8Array(SLOT_COUNT);

  return {
    note({ atMs, load1Percent = NaN, load5Percent = NaN, isHeld }): void {
      const number = Math.floor(atMs / SPAN_MS);
      const slot = number % SLOT_COUNT;
      const isNew = numbers[slot] !== number;
      numbers[slot] = number;
      load1[slot] = isNew ? load1Percent : higher(load1[slot], load1Percent);
      load5[slot] = isNew ? load5Percent : higher(load5[slot], load5Percent);
      held[slot] = isNew ? Number(isHeld) : Number(isHeld || held[slot] === 1);
    },
    spans(nowMs): readonly LoadSpan[] {
      const newest = Math.floor(nowMs / SPAN_MS);
      const spans: LoadSpan[] = [];
      for (let number = Math.max(0, newest - SLOT_COUNT + 1); number <= newest; number++) {
        const slot = number % SLOT_COUNT;
        if (numbers[slot] !== number) continue;
        spans.push({
          startMs: number * SPAN_MS,
          load1Percent: maybeKnown(load1[slot]),
          load5Percent: maybeKnown(load5[slot]),
          isHeld: held[slot] === 1,
        });
      }
      return spans;
    },
  };
}

/** The higher of two loads, of which NaN is unknown. */
function higher(one: number | undefined, other: number): number {
  return one === undefined || Number.isNaN(one) || other > one ? other : one;
}

function maybeKnown(percent: number | undefined): number | undefined {
  return percent === undefined || Number.isNaN(percent) ? undefined : percent;
}
