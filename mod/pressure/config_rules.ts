/** What the settings make of pressure. */

import {
  type AppConfig,
  EVALUATION_MS,
  type InstanceConfig,
  type PressureConfig,
} from "../config/pressure_config.ts";
import type { PressureRules, PressureThresholds } from "./rules.ts";

/** What is watched. */
export interface Watched {
  readonly config: PressureConfig;
  readonly instances: readonly InstanceConfig[];
  readonly apps: readonly AppConfig[];
}

/** Whether there is anything to watch. Never throws. */
export function isPressureWatched({ config, instances, apps }: Watched): boolean {
  return config.tierTemplate !== "" || instances.length > 0 || apps.length > 0;
}

/** The rules. Never throws. */
export function pressureRulesOf({ config, instances, apps }: Watched): PressureRules {
  return {
    thresholds: {
      scaleOutAbove: config.scaleOutAboveRatio,
      scaleInBelow: config.scaleInBelowRatio,
      dominanceMargin: config.dominanceMarginRatio,
      appSaturated: config.appSaturatedRatio,
      nearLimit: config.nearLimitRatio,
      lowCpu: config.lowCpuRatio,
      lagSaturatedMs: config.lagSaturatedMs,
      inflightPerLoop: config.inflightPerLoopCount,
      confirm: config.pressureConfirmCount,
      scaleInWindowS: config.scaleInWindowMs / 1_000,
      cooldownOutS: config.cooldownOutMs / 1_000,
      cooldownInS: config.cooldownInMs / 1_000,
      cooldownInAfterOutS: config.cooldownInAfterOutMs / 1_000,
      actWhenAppSaturated: config.actWhenAppSaturated,
    },
    mode: config.pressureMode,
    windowMs: config.pressureWindowMs,
    neededSamples: config.pressureSamplesCount,
    evaluateMs: EVALUATION_MS,
    warmupMs: config.warmupMs,
    startTimeoutMs: config.startTimeoutMs,
    failureBackoffMs: config.failureBackoffMs,
    latencyTargetMs: positive(config.latencyTargetMs),
    minFreeMiB: positive(config.minFreeMib),
    rssBudgetMiB: positive(config.rssBudgetMib),
    cpuBudget: positive(config.cpuBudget),
    minInstances: config.tierMinCount,
    maxInstances: config.tierMaxCount,
    instances: instances.map(({ name, cpus, loopsCount, connectionLimitCount }) => ({
      name,
      cpus: positive(cpus) ?? loopsCount,
      loops: loopsCount,
      connectionLimit: positive(connectionLimitCount),
    })),
    template: { cpus: config.tierCpus, loops: config.tierLoopsCount, connectionLimit: undefined },
    runsByAnswer: config.tierTemplate === "",
    drains: config.tierDrain !== "none",
    apps: apps.map(({ name, class: language, cpus, queue }) => ({
      name,
      class: language,
      cpus: positive(cpus),
      queue: queue.kind,
    })),
  };
}

/** The setting that each threshold comes from. */
const FIELD_OF: Readonly<Record<keyof PressureThresholds, keyof PressureConfig>> = {
  scaleOutAbove: "scaleOutAboveRatio",
  scaleInBelow: "scaleInBelowRatio",
  dominanceMargin: "dominanceMarginRatio",
  appSaturated: "appSaturatedRatio",
  nearLimit: "nearLimitRatio",
  lowCpu: "lowCpuRatio",
  lagSaturatedMs: "lagSaturatedMs",
  inflightPerLoop: "inflightPerLoopCount",
  confirm: "pressureConfirmCount",
  scaleInWindowS: "scaleInWindowMs",
  cooldownOutS: "cooldownOutMs",
  cooldownInS: "cooldownInMs",
  cooldownInAfterOutS: "cooldownInAfterOutMs",
  actWhenAppSaturated: "actWhenAppSaturated",
};

/** Of the thresholds those that come from these settings, as the ones that a person set. Never throws. */
export function thresholdsOfFields(
  config: PressureConfig,
  fields: ReadonlySet<string>,
): Partial<PressureThresholds> {
  const { thresholds } = pressureRulesOf({ config, instances: [], apps: [] });
  return Object.fromEntries(
    Object.entries(thresholds).filter(([key]) => fields.has(FIELD_OF[key as keyof PressureThresholds])),
  );
}

/** 0 is that nobody set it. */
function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
