/** Turns a live sample into a line of a trace. */

import type { Sample } from "../ladder/sample.ts";
import { maybeValue, type Reading } from "../reading.ts";
import type { TraceRecord } from "../replay/trace.ts";

/**
 * The record of a sample; what could not be read is null.
 *
 * @param startMs Monotonic time from which `t` counts, in seconds exact to the millisecond
 */
export function recordOfSample(sample: Sample, startMs: number): TraceRecord {
  const load = maybeValue(sample.load);
  const { gate } = sample;
  const backups = maybeValue(gate?.backups);
  return {
    t: (sample.monotonicMs - startMs) / 1000,
    load1: load === undefined ? null : load.load1Hundredths / 100,
    load5: load === undefined ? null : load.load5Hundredths / 100,
    cpus: load?.cpuCount ?? null,
    iowaitPct: numberOf(gate?.iowaitPercent),
    backup: backups === undefined ? null : backups.length > 0,
    runnable: numberOf(gate?.runnableTasks),
    cpuBusy: load?.cpuBusyRatio ?? null,
    psiCpu: numberOf(gate?.psiCpuPercent),
    psiIo: numberOf(gate?.psiIoPercent),
    wall: sample.wallMs,
    ...load?.line === undefined ? {} : { line: load.line },
    ...sample.byHand === undefined ? {} : { byHand: sample.byHand },
    ...sample.heldWeb === undefined ? {} : { heldWeb: sample.heldWeb },
  };
}

function numberOf(reading: Reading<number> | undefined): number | null {
  return maybeValue(reading) ?? null;
}
