/** The course of a load in a bounded number of points, however long it is watched: each keeps the peak of its stretch. */

/** A course of values in the making. */
export interface LoadProfile {
  readonly add: (percent: number) => void;
  /** The peaks, oldest first. */
  readonly peaks: () => readonly number[];
}

/**
 * Begins a profile. When it is full, neighbours are merged and each point stands for twice as many values.
 *
 * @param pointLimit Most points kept, an even number
 */
export function beginLoadProfile(pointLimit: number): LoadProfile {
  let peaks: number[] = [];
  let valuesPerPoint = 1;
  let valuesInLast = 0;
  return {
    add(percent: number): void {
      if (valuesInLast === valuesPerPoint || peaks.length === 0) {
        if (peaks.length === pointLimit) {
          peaks = peaks.filter((_, index) => index % 2 === 0)
            .map((peak, index) => Math.max(peak, peaks[2 * index + 1] ?? 0));
          valuesPerPoint *= 2;
        }
        peaks.push(percent);
        valuesInLast = 1;
      } else {
        const last = peaks.length - 1;
        peaks[last] = Math.max(peaks[last] ?? 0, percent);
        valuesInLast += 1;
      }
    },
    peaks: () => peaks,
  };
}
