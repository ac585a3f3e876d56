/** Turns a live sample into a line of a trace. */

import type { Sample } from "../ladder/sample.ts";
import { maybeValue, type Reading } from "../reading.ts";
import type { TraceRecord } from "../replay/trace.ts";

/**
 * The record of a sample; what could not be read is null.
 *
 * @param startMs Monotonic time of the recording's start; `t` counts from it, in tenths of a second
 */
export function recordOfSample(sample: Sample, startMs: number): TraceRecord {
  const load = maybeValue(sample.load);
  const { gate } = sample;
  const backups = maybeValue(gate?.backups);
  return {
    t: Math.round((sample.monotonicMs - startMs) / 100) / 10,
    load1: load === undefined ? null : load.load1Hundredths / 100,
    load5: load === undefined ? null : load.load5Hundredths / 100,
    cpus: load?.cpuCount ?? null,
    iowaitPct: numberOf(gate?.iowaitPercent),
    backup: backups === undefined ? null : backups.length > 0,
    runnable: numberOf(gate?.runnableTasks),
    cpuBusy: load?.cpuBusyRatio === undefined ? null : Math.round(load.cpuBusyRatio * 1000) / 1000,
    psiCpu: numberOf(gate?.psiCpuPercent),
    psiIo: numberOf(gate?.psiIoPercent),
    wall: sample.wallMs,
  };
}

function numberOf(reading: Reading<number> | undefined): number | null {
  return maybeValue(reading) ?? null;
}
