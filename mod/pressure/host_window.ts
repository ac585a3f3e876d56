/** What was seen of the host over the window. */

import { maybeValue } from "../reading.ts";
import { type Point, rateOf, withPoint } from "./points.ts";
import type { HostSample } from "./sample.ts";

/** One look at the host. */
export interface HostPoint extends Point {
  /** Idle time since the first look, of all CPUs; undefined where it could not be read. */
  readonly idleS: number | undefined;
}

/** What is kept of the host from one look to the next. */
export interface HostWindow {
  readonly points: readonly HostPoint[];
  /** The kernel's figure at the last look. */
  readonly rawIdleS: number | undefined;
  readonly rawAtMs: number;
  readonly idleTotalS: number;
  readonly latest: HostSample;
}

/** The host over the window. Undefined is unknown. */
export interface HostFigures {
  readonly cpuCount: number;
  readonly idleCpus: number | undefined;
  readonly memTotalMiB: number | undefined;
  readonly memAvailableMiB: number | undefined;
  readonly psiCpuPercent: number | undefined;
  readonly psiMemoryPercent: number | undefined;
}

/**
 * The window with one more look. The kernel's idle time may step back, and falls when a CPU is taken away: then nothing was
 * idle meanwhile, as far as can be told. It leaps when a CPU is added, with all that this one idled before: more than all
 * CPUs could idle meanwhile does not count. Never throws.
 */
export function noteHost(
  before: HostWindow | undefined,
  latest: HostSample,
  atMs: number,
  windowMs: number,
): HostWindow {
  const rawIdleS = maybeValue(latest.idleS);
  const grownS = rawIdleS === undefined || before?.rawIdleS === undefined ? 0 : Math.min(
    Math.max(0, rawIdleS - before.rawIdleS),
    latest.cpuCount * (atMs - before.rawAtMs) / 1_000,
  );
  const idleTotalS = (before?.idleTotalS ?? 0) + grownS;
  const point = { atMs, idleS: rawIdleS === undefined ? undefined : idleTotalS };
  return {
    points: withPoint(before?.points ?? [], point, windowMs),
    // A small step back is caught up with before anything counts again.
    rawIdleS: rawIdleS === undefined ? before?.rawIdleS : highWater(before?.rawIdleS, rawIdleS),
    rawAtMs: rawIdleS === undefined ? before?.rawAtMs ?? atMs : atMs,
    idleTotalS,
    latest,
  };
}

/** The figures of a window. Never throws. */
export function hostFiguresOf({ points, latest }: HostWindow): HostFigures {
  const { cpuCount, memTotalKib, memAvailableKib, psiCpuPercent, psiMemoryPercent } = latest;
  return {
    cpuCount,
    idleCpus: rateOf(points, ({ idleS }) => idleS),
    memTotalMiB: mib(maybeValue(memTotalKib)),
    memAvailableMiB: mib(maybeValue(memAvailableKib)),
    psiCpuPercent: maybeValue(psiCpuPercent),
    psiMemoryPercent: maybeValue(psiMemoryPercent),
  };
}

/** A step back of so many seconds is a CPU that is gone; a smaller one is the kernel's jitter. */
const STEP_BACK_S = 3;

function highWater(beforeS: number | undefined, nowS: number): number {
  return beforeS !== undefined && nowS < beforeS && beforeS - nowS < STEP_BACK_S ? beforeS : nowS;
}

function mib(kib: number | undefined): number | undefined {
  return kib === undefined ? undefined : kib / 1_024;
}
