/**
 * The components of pressure and the score, each from 0 to 1:
 *
 *     score = max(cpu_lag, inflight, latency)     cpu_lag = min(cpu, lag + 0.5)
 *
 * CPU alone is no pressure: an instance that is busy and keeps up has little lag. The score is made of the components of
 * the whole tier, never of scores of instances: so it can be computed again from the line that is printed.
 */

import type { Aggregates } from "./aggregates.ts";
import { clampRatio, exactly, type Interval, isKnown, maxOf, minOf, UNKNOWN } from "./interval.ts";
import type { PressureThresholds } from "./rules.ts";

/** What was measured. */
export type Measured = "cpu_lag" | "inflight" | "latency";

/** The components. */
export interface Components {
  readonly cpu: Interval;
  readonly lag: Interval;
  readonly inflight: Interval;
  readonly latency: Interval;
  readonly cpuLag: Interval;
  readonly score: Interval;
  /** Undefined while any component is unknown. */
  readonly dominant: Measured | undefined;
}

/** A loop without lag counts for half of its CPU. */
const LAG_OFFSET = 0.5;

/** The components of a tier. Never throws. */
export function componentsOf(input: Aggregates, thresholds: PressureThresholds): Components {
  const cpu = ratioOf(input.cpu);
  const lag = ratioOf(input.lagP99Ms, thresholds.lagSaturatedMs);
  const inflight = ratioOf(input.inflight, input.loops * thresholds.inflightPerLoop);
  const latency = latencyOf(input);
  const cpuLag = cpuLagOf(cpu, lag);
  const score = maxOf(cpuLag, inflight, latency);
  const parts = { cpu, lag, inflight, latency, cpuLag, score };
  return { ...parts, dominant: Object.values(parts).every(isKnown) ? dominantOf() : undefined };

  function dominantOf(): Measured {
    const other = Math.max(inflight.low, latency.low);
    return cpuLag.low >= other - thresholds.dominanceMargin ? "cpu_lag" : largerOther({ inflight, latency });
  }
}

/** What of one instance makes its components. */
export interface InstanceInput {
  readonly cpuRatio: number | undefined;
  readonly lagP99Ms: number | undefined;
  readonly inflightCount: number | undefined;
  readonly loops: number;
}

/** The components of one instance, which has no latency of its own. Never throws. */
export function instanceComponents(
  { cpuRatio, lagP99Ms, inflightCount, loops }: InstanceInput,
  { lagSaturatedMs, inflightPerLoop }: Pick<PressureThresholds, "lagSaturatedMs" | "inflightPerLoop">,
): Omit<Components, "latency" | "dominant"> {
  const cpu = ratioOf(cpuRatio);
  const lag = ratioOf(lagP99Ms, lagSaturatedMs);
  const inflight = ratioOf(inflightCount, loops * inflightPerLoop);
  const cpuLag = cpuLagOf(cpu, lag);
  return { cpu, lag, inflight, cpuLag, score: maxOf(cpuLag, inflight) };
}

/** `min(cpu, lag + 0.5)`. */
export function cpuLagOf(cpu: Interval, lag: Interval): Interval {
  return minOf(cpu, { low: lag.low + LAG_OFFSET, high: lag.high + LAG_OFFSET });
}

/** The larger one of what is not cpu_lag. */
export function largerOther(
  { inflight, latency }: Pick<Components, "inflight" | "latency">,
): "inflight" | "latency" {
  return inflight.low >= latency.low ? "inflight" : "latency";
}

/** A value as a part of what is full. NaN is a loop that never ran: as bad as it can be. Never throws. */
export function ratioOf(value: number | undefined, full = 1): Interval {
  if (value === undefined) return UNKNOWN;
  return exactly(Number.isNaN(value) ? 1 : clampRatio(value / full));
}

function latencyOf({ latencyP99Ms, latencyTargetMs, inflight }: Aggregates): Interval {
  if (latencyTargetMs === undefined) return exactly(0);
  // Nothing was answered: of a tier without requests that says nothing, of another one everything.
  if (latencyP99Ms !== undefined && Number.isNaN(latencyP99Ms)) {
    return inflight === undefined ? UNKNOWN : exactly(inflight > 0 ? 1 : 0);
  }
  return ratioOf(latencyP99Ms, latencyTargetMs);
}
