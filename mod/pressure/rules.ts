/** What pressure is evaluated by. Every number of the seed is here, with its default. */

import type { AppClass, PressureMode, QueueSource } from "../config/pressure_config.ts";

/** Thresholds of components and classes. Ratios are 0 to 1. */
export interface PressureThresholds {
  /** The web tier is saturated above it. */
  readonly scaleOutAbove: number;
  /** The web tier is idle below it. */
  readonly scaleInBelow: number;
  /** By how much another component may be larger than cpu_lag and not dominate it; 0 is the literal seed. */
  readonly dominanceMargin: number;
  /** An application is saturated from this part of its CPUs. */
  readonly appSaturated: number;
  /** Requests or connections are near their limit from here. */
  readonly nearLimit: number;
  /** Below it a CPU is low. */
  readonly lowCpu: number;
  /** Lag of a loop, in milliseconds, at which it is saturated. */
  readonly lagSaturatedMs: number;
  /** Requests that one loop serves at once when it is full. */
  readonly inflightPerLoop: number;
  /** Saturated evaluations in a row before anything is started. */
  readonly confirm: number;
  /** How long all evaluations must be below `scaleInBelow`. */
  readonly scaleInWindowS: number;
  readonly cooldownOutS: number;
  readonly cooldownInS: number;
  readonly cooldownInAfterOutS: number;
  /** Whether a saturated web tier is scaled out although an application is saturated too: the literal seed. */
  readonly actWhenAppSaturated: boolean;
}

/**
 * The seed's values where it has them. The others were chosen from what autoscalers do: two confirmations and a minute of
 * cooldown for more, five minutes for less, because too few is worse than too many.
 */
export const DEFAULT_THRESHOLDS: PressureThresholds = {
  scaleOutAbove: 0.75,
  scaleInBelow: 0.3,
  dominanceMargin: 0.1,
  appSaturated: 0.9,
  nearLimit: 0.8,
  lowCpu: 0.5,
  lagSaturatedMs: 5,
  inflightPerLoop: 256,
  confirm: 2,
  scaleInWindowS: 60,
  cooldownOutS: 60,
  cooldownInS: 300,
  cooldownInAfterOutS: 300,
  actWhenAppSaturated: true,
};

/** Lag from which a loop counts as blocked when its CPU is low. */
export const LOOP_BLOCKED_LAG = 0.8;

/** A new instance is expected to use so much of what the largest one does. */
export const RSS_RESERVE = 1.25;

/** CPUs of the host that must have been idle for one more instance to find room. */
export const IDLE_RESERVE_CPUS = 0.5;

/** What is known of an instance before it is looked at. */
export interface InstanceRules {
  readonly name: string;
  /** CPUs that it may use. */
  readonly cpus: number;
  readonly loops: number;
  /** How many connections it may have; undefined is what its page says. */
  readonly connectionLimit: number | undefined;
}

/** What is known of an application before it is looked at. */
export interface AppRules {
  readonly name: string;
  readonly class: AppClass;
  /** CPUs that it may use; undefined goes by its cgroup and affinity. */
  readonly cpus: number | undefined;
  /** Where it shows that requests wait for it. */
  readonly queue: QueueSource["kind"];
}

/** All that a step goes by. */
export interface PressureRules {
  readonly thresholds: PressureThresholds;
  readonly mode: PressureMode;
  readonly windowMs: number;
  /** Samples of the window that must be there. */
  readonly neededSamples: number;
  /** From one evaluation to the next. */
  readonly evaluateMs: number;
  readonly warmupMs: number;
  readonly startTimeoutMs: number;
  readonly failureBackoffMs: number;
  /** Undefined is no target. */
  readonly latencyTargetMs: number | undefined;
  /** Undefined is the larger of 256 MiB and 5 % of the RAM. */
  readonly minFreeMiB: number | undefined;
  /** Undefined is no limit. */
  readonly rssBudgetMiB: number | undefined;
  /** Undefined is the CPUs of the host but one. */
  readonly cpuBudget: number | undefined;
  readonly minInstances: number;
  readonly maxInstances: number;
  /** Instances that have a section of their own. */
  readonly instances: readonly InstanceRules[];
  /** All others: what the template makes. */
  readonly template: Omit<InstanceRules, "name">;
  /** Whether an instance of which no processes are known runs only while it answers. */
  readonly runsByAnswer: boolean;
  /** Whether one can be stopped without losing requests. */
  readonly drains: boolean;
  readonly apps: readonly AppRules[];
}

/** The rules of one instance. Never throws. */
export function rulesOfInstance({ instances, template }: PressureRules, name: string): InstanceRules {
  return instances.find((one) => one.name === name) ?? { name, ...template };
}
