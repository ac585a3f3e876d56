/**
 * Tells a frozen `/proc/loadavg` from a steady load.
 *
 * A container's loadavg is a file of lxcfs, whose refresh thread may die while the file stays readable. An equal load
 * figure alone is normal, so the whole line is watched: runnable and total tasks and the last pid change all the time on a
 * host that works. A frozen load is no load: it is reported and never acted on.
 */

import type { LoadSample } from "./sample.ts";

/** How long the whole line must stay unchanged: the cron jobs of ten minutes leave a trace in the last pid. */
const FROZEN_AFTER_MS = 600_000;

/** CPUs that must have been busy all that time. Below half of one, a host may truly have nothing to report. */
const BUSY_CPUS = 0.5;

/** One line of loadavg, since when it has been seen, and how much CPU was used meanwhile. */
export interface LineWatch {
  readonly line: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** CPU time used since then, in milliseconds of one CPU. */
  readonly busyMs: number;
}

/** Takes the line of a new sample into the watch. */
export function watchLine(watch: LineWatch | undefined, sample: LoadSample, monotonicMs: number): LineWatch {
  const { line = "" } = sample;
  if (watch === undefined || watch.line !== line) {
    return { line, sinceMs: monotonicMs, untilMs: monotonicMs, busyMs: 0 };
  }
  const usedMs = (sample.cpuBusyRatio ?? 0) * sample.cpuCount * (monotonicMs - watch.untilMs);
  return { ...watch, untilMs: monotonicMs, busyMs: watch.busyMs + usedMs };
}

/** Whether the line has not moved for ten minutes in which the CPUs did work. */
export function isFrozen(watch: LineWatch): boolean {
  const watchedMs = watch.untilMs - watch.sinceMs;
  return watchedMs >= FROZEN_AFTER_MS && watch.busyMs >= BUSY_CPUS * watchedMs;
}
