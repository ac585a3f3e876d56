/**
 * The second witness of a high load: does anything want the CPU?
 *
 * The load average counts tasks that wait for a CPU and tasks in uninterruptible sleep alike. A dead NFS mount brings a
 * load of hundreds on idle CPUs, and taking the web down would not help.
 */

import { maybeValue } from "../reading.ts";
import type { Sample } from "./sample.ts";

/** Runnable tasks per CPU from which on the CPU is wanted: as many as there are CPUs, besides the reader. */
const RUNNABLE_PER_CPU = 1;

/** Busy share of the CPUs, without iowait, from which on the CPU is wanted. */
const BUSY_RATIO = 0.5;

/** PSI `some avg10` of the CPU from which on the CPU is wanted: tasks waited for it a tenth of the last ten seconds. */
const PSI_CPU_PERCENT = 10;

/** What the other sensors say about a high load; undefined is not known. */
export interface Witness {
  readonly runnablePerCpu: number | undefined;
  readonly cpuBusyRatio: number | undefined;
  readonly psiCpuPercent: number | undefined;
  readonly psiIoPercent: number | undefined;
  /** Wanted when one sensor says so; not wanted when every known one denies it; unknown when none could be read. */
  readonly cpu: "wanted" | "not-wanted" | "unknown";
}

/** Hears the second witness of a sample. Never throws. */
export function hearWitness(sample: Sample): Witness {
  const load = maybeValue(sample.load);
  const runnable = maybeValue(sample.gate?.runnableTasks);
  const psiCpuPercent = maybeValue(sample.gate?.psiCpuPercent);
  const cpuBusyRatio = load?.cpuBusyRatio;
  const runnablePerCpu = runnable === undefined || load === undefined ? undefined : runnable / load.cpuCount;
  const known = [
    runnablePerCpu === undefined ? undefined : runnablePerCpu >= RUNNABLE_PER_CPU,
    cpuBusyRatio === undefined ? undefined : cpuBusyRatio >= BUSY_RATIO,
    psiCpuPercent === undefined ? undefined : psiCpuPercent >= PSI_CPU_PERCENT,
  ].filter((says) => says !== undefined);
  return {
    runnablePerCpu,
    cpuBusyRatio,
    psiCpuPercent,
    psiIoPercent: maybeValue(sample.gate?.psiIoPercent),
    cpu: known.length === 0 ? "unknown" : known.includes(true) ? "wanted" : "not-wanted",
  };
}
