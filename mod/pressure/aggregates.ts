/**
 * What the window of one evaluation comes to: one figure of each kind for the whole tier. Undefined is unknown, which is
 * not 0: a figure that nobody could read must not look like an idle tier.
 */

import type { AppClass, PressureMode } from "../config/pressure_config.ts";

/** One class of applications. */
export interface AppAggregate {
  /** Part of its CPUs that the class uses, of its busiest group. */
  readonly cpu: number | undefined;
  /** Whether requests wait for it longer and longer, or wait at all where nothing tells how long; undefined is unknown. */
  readonly queueRising: boolean | undefined;
}

/** The web tier, the applications and the host over one window. */
export interface Aggregates {
  /** Instances that run or are being started. */
  readonly instances: number;
  readonly minInstances: number;
  readonly maxInstances: number;
  /** Instances that are being started, or too new to count. */
  readonly starting: number;
  readonly mode: PressureMode;
  /** Samples that are valid, of the instance that has the fewest. */
  readonly validSamples: number;
  readonly neededSamples: number;
  /** CPUs used of those assigned, as measured: it may be above 1 by a tick. */
  readonly cpu: number | undefined;
  /** Lag of the loops; NaN where a loop never ran. */
  readonly lagP99Ms: number | undefined;
  /** Requests being served, for each instance in the mean. */
  readonly inflight: number | undefined;
  /** Loops of each instance. */
  readonly loops: number;
  /** NaN where nothing was answered. */
  readonly latencyP99Ms: number | undefined;
  /** Undefined where there is no target. */
  readonly latencyTargetMs: number | undefined;
  /** Open connections of how many there may be; 0 where no limit is known, NaN where they could not be seen. */
  readonly connectionsRatio: number;
  /** Score of the instance with the highest one. */
  readonly hottestScore: number;
  readonly apps: Readonly<Partial<Record<AppClass, AppAggregate>>>;
  readonly memAvailableMiB: number | undefined;
  readonly minFreeMiB: number;
  /** Of the largest instance. */
  readonly rssMiB: number | undefined;
  /** Undefined where there is no limit. */
  readonly rssBudgetMiB: number | undefined;
  /** Evaluations in a row, this one included, in which the web tier was saturated. */
  readonly confirmations: number;
  /** For how long all evaluations were below the threshold of scaling in. */
  readonly belowScaleInS: number;
  /** Undefined is never. */
  readonly sinceScaleOutS: number | undefined;
  readonly sinceScaleInS: number | undefined;
  /** CPUs assigned to all instances. */
  readonly totalCpus: number;
  /** Of them those of the instance that would be stopped. */
  readonly victimCpus: number;
  readonly cpusPerInstance: number;
  readonly cpuBudget: number;
  /** CPUs of the host that were idle; NaN where that is not known, undefined where it is not to count. */
  readonly hostIdleCpus?: number | undefined;
  /** How long ago a start failed, while nothing is started because of it; undefined otherwise. */
  readonly failureBackoffLeftS?: number | undefined;
  /** Whether the tier went to and fro so often that it is left alone. */
  readonly isFlapping?: boolean;
  /** Whether a way to stop an instance without losing requests is declared; true where nothing is said. */
  readonly drains?: boolean;
  /**
   * What `connectionsRatio` comes to when those of one instance come back to the others; NaN where they could not be seen,
   * undefined where it is not to count.
   */
  readonly connectionsAfterScaleIn?: number | undefined;
  /** Whether a latency was cut off at the highest bucket, so that it may be any higher. */
  readonly isLatencyTruncated?: boolean;
}
