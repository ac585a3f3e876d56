/** All instances, applications and the host together: the figures of one evaluation. */

import type { AppClass } from "../config/pressure_config.ts";
import type { Aggregates, AppAggregate } from "./aggregates.ts";
import type { AppFigures } from "./app_window.ts";
import { ratioOf } from "./components.ts";
import { isKnown } from "./interval.ts";
import type { HostFigures } from "./host_window.ts";
import { quantileOf } from "./histogram.ts";
import { type InstanceFigures, mergedLatency } from "./instance_figures.ts";
import { meanOf } from "./points.ts";
import type { PressureRules } from "./rules.ts";

/** What is measured, without what is remembered of evaluations before. */
export type TierFigures = Omit<
  Aggregates,
  | "confirmations"
  | "belowScaleInS"
  | "sinceScaleOutS"
  | "sinceScaleInS"
  | "isFlapping"
  | "failureBackoffLeftS"
>;

/** Memory that is to stay available where nobody said how much. */
const MIN_FREE = { mib: 256, ratio: 0.05 } as const;

/** Fewer observations have no 99th percentile: it would be the largest of them. */
const OBSERVATIONS_NEEDED = 100;

/** The tier as one. Never throws. */
export function tierOf(
  instances: readonly InstanceFigures[],
  apps: readonly AppFigures[],
  host: HostFigures,
  rules: PressureRules,
  { isScaling, isHeld }: { readonly isScaling: boolean; readonly isHeld: boolean },
): TierFigures {
  const running = instances.filter(({ standing }) => standing !== "stopped");
  const counting = running.filter(({ standing }) => standing !== "new");
  const newCount = running.length - counting.length;
  const { thresholds } = rules;
  const loops = Math.max(1, ...counting.map((one) => one.loops));
  const lag = meanOfKnown(counting.map(({ lagP99Ms }) => componentOf(lagP99Ms, thresholds.lagSaturatedMs)));
  const inflight = meanOfKnown(
    counting.map((one) => componentOf(one.inflightCount, one.loops * thresholds.inflightPerLoop)),
  );
  const latency = latencyOf(counting, rules);
  const connectionsRatio =
    largestKnown([0, ...counting.map(connectionsOf)], (ratio) => ratio >= thresholds.nearLimit) ?? NaN;
  return {
    instances: running.length,
    minInstances: rules.minInstances,
    maxInstances: rules.maxInstances,
    starting: newCount > 0 ? newCount : isScaling ? 1 : 0,
    mode: isHeld ? "paused" : rules.mode,
    validSamples: samplesOf(),
    neededSamples: rules.neededSamples,
    cpu: running.length === 0 ? 0 : cpuOf(counting),
    lagP99Ms: counting.length === 0 ? undefined : lag && lag * thresholds.lagSaturatedMs,
    inflight: counting.length === 0 ? undefined : inflight && inflight * loops * thresholds.inflightPerLoop,
    loops,
    ...latency,
    latencyTargetMs: rules.latencyTargetMs,
    connectionsRatio,
    connectionsAfterScaleIn: running.length > 1
      ? connectionsRatio * running.length / (running.length - 1)
      : undefined,
    hottestScore: Math.max(0, ...counting.map(({ score }) => score.low)),
    apps: appsOf(apps, thresholds.appSaturated),
    memAvailableMiB: host.memAvailableMiB,
    minFreeMiB: rules.minFreeMiB ?? Math.max(MIN_FREE.mib, MIN_FREE.ratio * (host.memTotalMiB ?? 0)),
    rssMiB: largestKnown(
      running.map(({ rssMiB }) => rssMiB),
      (mib) => mib > (rules.rssBudgetMiB ?? Infinity),
    ),
    rssBudgetMiB: rules.rssBudgetMiB,
    totalCpus: running.reduce((sum, { cpus }) => sum + cpus, 0),
    // Of the largest one: which of them is stopped is settled when it is.
    victimCpus: Math.max(0, ...running.map(({ cpus }) => cpus)),
    cpusPerInstance: rules.template.cpus,
    cpuBudget: rules.cpuBudget ?? host.cpuCount - 1,
    hostIdleCpus: host.idleCpus ?? NaN,
    drains: rules.drains,
  };

  /** Instances of which none counts yet have no sample; no instance lacks none. */
  function samplesOf(): number {
    if (counting.length > 0) return Math.min(...counting.map(({ validSamples }) => validSamples));
    return running.length > 0 ? 0 : rules.neededSamples;
  }
}

/** A value as a part of what is full, from 0 to 1. */
function componentOf(value: number | undefined, full: number): number | undefined {
  const part = ratioOf(value, full);
  return isKnown(part) ? part.low : undefined;
}

/** An instance of which nothing is known makes the mean unknown. */
function meanOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : meanOf(known);
}

/** CPU used of all that is assigned. */
function cpuOf(instances: readonly InstanceFigures[]): number | undefined {
  if (instances.length === 0) return undefined;
  let used = 0;
  let assigned = 0;
  for (const { cpuRatio, cpus } of instances) {
    if (cpuRatio === undefined) return undefined;
    used += cpuRatio * cpus;
    assigned += cpus;
  }
  return used / assigned;
}

/**
 * The 99th percentile of all instances together. Of few requests it is told and does not count; NaN is that nothing was
 * answered.
 */
function latencyOf(
  instances: readonly InstanceFigures[],
  { latencyTargetMs }: PressureRules,
): Pick<Aggregates, "latencyP99Ms" | "isLatencyTruncated"> {
  const merged = latencyTargetMs === undefined ? undefined : mergedLatency(instances);
  if (merged === undefined) return { latencyP99Ms: undefined, isLatencyTruncated: false };
  const { value, isTruncated } = quantileOf(0.99, merged);
  const count = Math.max(0, ...merged.counts);
  if (Number.isNaN(value)) {
    // Without buckets that all of them have in common, what was answered has no figure.
    return { latencyP99Ms: count > 0 ? undefined : NaN, isLatencyTruncated: false };
  }
  if (count < OBSERVATIONS_NEEDED) return { latencyP99Ms: 0, isLatencyTruncated: false };
  return { latencyP99Ms: value * 1_000, isLatencyTruncated: isTruncated };
}

/**
 * Connections of how many there may be; 0 where no limit is known, undefined where the connections are not. One that was
 * accepted and dropped is the proof of a limit that was reached.
 */
function connectionsOf(
  { openConnectionsCount, connectionLimitCount, droppedPerS }: InstanceFigures,
): number | undefined {
  if (droppedPerS !== undefined && droppedPerS > 0) return 1;
  if (!connectionLimitCount) return 0;
  return openConnectionsCount === undefined ? undefined : openConnectionsCount / connectionLimitCount;
}

/** Of each class its busiest group. */
function appsOf(apps: readonly AppFigures[], saturatedRatio: number): Aggregates["apps"] {
  const classes = new Map<AppClass, AppFigures[]>();
  for (const one of apps) classes.set(one.class, [...classes.get(one.class) ?? [], one]);
  return Object.fromEntries(
    [...classes].map(([name, groups]): [AppClass, AppAggregate] => [name, {
      cpu: largestKnown(groups.map(({ cpuRatio }) => cpuRatio), (ratio) => ratio >= saturatedRatio),
      queueRising: groups.some(({ isQueueRising }) => isQueueRising) ||
        (groups.some(({ isQueueRising }) => isQueueRising === undefined) ? undefined : false),
    }]),
  );
}

/** The largest one. Where some are not known it is known only once it is too large: then no other one matters. */
function largestKnown(
  values: readonly (number | undefined)[],
  isTooLarge: (value: number) => boolean,
): number | undefined {
  const known = values.filter((value) => value !== undefined);
  const largest = known.length === 0 ? undefined : Math.max(...known);
  return largest !== undefined && (known.length === values.length || isTooLarge(largest))
    ? largest
    : undefined;
}
