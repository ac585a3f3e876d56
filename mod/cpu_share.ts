/**
 * What share of the time between two looks at `/proc/stat` the CPUs waited for disks or worked.
 *
 * Both figures come from the growth of each counter. A counter that stepped back counts as not grown: the
 * kernel lets iowait and idle step back by a few ticks, and some guest kernels let steal run backwards for
 * hours.
 */

import type { CpuTimes } from "./proc/stat.ts";

/**
 * How far idle, or the sum of all counters without steal, may fall before the pair says nothing: 3 s in ticks
 * of 1/100 s.
 *
 * The Prometheus node exporter draws the line at the same 3 s. A fall within it is the kernel's usual jitter.
 * A larger one is a live migration, a restored snapshot or a restarted container: clamping its counters would
 * turn the few that still grew into the whole, and a host that never waited for a disk would read as 40 %
 * iowait. Steal is not in the sum because its own falls are far larger and leave the other counters sound.
 */
const LARGEST_FALL_TICKS = 300;

/**
 * The share of time in which CPUs were idle with a task waiting for a disk.
 *
 * The growth of iowait over the growth of all eight counters, user to steal, as BOA's `second.sh` computes
 * it.
 *
 * @returns 0 to 100, rounded to one decimal, halves up, exactly. Undefined if no counter grew, or if the
 * counters fell so far that the two looks do not belong together. Never throws
 */
export function iowaitPercent(before: CpuTimes, after: CpuTimes): number | undefined {
  const growth = maybeGrowth(before, after);
  if (growth === undefined) return undefined;
  const all = working(growth) + growth.idleTicks + growth.iowaitTicks + growth.stealTicks;
  return all === 0 ? undefined : Math.floor((2000 * growth.iowaitTicks + all) / (2 * all)) / 10;
}

/**
 * The share of the time that was ours in which CPUs worked: user, nice, system and interrupts.
 *
 * Idle and iowait are not work. Steal is on neither side: what the hypervisor gave to other guests was not
 * ours to use, and a guest that uses all it gets is fully busy.
 *
 * @returns 0 to 1. Undefined if none of the time was ours, or if the counters fell so far that the two looks
 * do not belong together. Never throws
 */
export function busyRatio(before: CpuTimes, after: CpuTimes): number | undefined {
  const growth = maybeGrowth(before, after);
  if (growth === undefined) return undefined;
  const busy = working(growth);
  const ours = busy + growth.idleTicks + growth.iowaitTicks;
  return ours === 0 ? undefined : busy / ours;
}

/** How much each counter grew, at least 0, or undefined if the two looks do not belong together. */
function maybeGrowth(before: CpuTimes, after: CpuTimes): CpuTimes | undefined {
  const fall = withoutSteal(before) - withoutSteal(after);
  const idleFall = before.idleTicks - after.idleTicks;
  if (fall > LARGEST_FALL_TICKS || idleFall > LARGEST_FALL_TICKS) return undefined;
  return {
    userTicks: Math.max(0, after.userTicks - before.userTicks),
    niceTicks: Math.max(0, after.niceTicks - before.niceTicks),
    systemTicks: Math.max(0, after.systemTicks - before.systemTicks),
    idleTicks: Math.max(0, after.idleTicks - before.idleTicks),
    iowaitTicks: Math.max(0, after.iowaitTicks - before.iowaitTicks),
    irqTicks: Math.max(0, after.irqTicks - before.irqTicks),
    softirqTicks: Math.max(0, after.softirqTicks - before.softirqTicks),
    stealTicks: Math.max(0, after.stealTicks - before.stealTicks),
  };
}

/** Ticks in which CPUs worked for this host. */
function working(times: CpuTimes): number {
  return times.userTicks + times.niceTicks + times.systemTicks + times.irqTicks + times.softirqTicks;
}

/** Ticks of all columns but steal. */
function withoutSteal(times: CpuTimes): number {
  return working(times) + times.idleTicks + times.iowaitTicks;
}
