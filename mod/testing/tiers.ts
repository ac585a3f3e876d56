/** Web tiers for tests. */

import type { Aggregates } from "../pressure/aggregates.ts";
import type { AppFigures } from "../pressure/app_window.ts";
import { evaluate } from "../pressure/evaluate.ts";
import type { InstanceFigures } from "../pressure/instance_figures.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import { DEFAULT_THRESHOLDS } from "../pressure/rules.ts";

/** A saturated tier that is scaled out. */
export const HOT_TIER: Aggregates = {
  instances: 2,
  minInstances: 1,
  maxInstances: 4,
  starting: 0,
  mode: "active",
  validSamples: 15,
  neededSamples: 12,
  cpu: 0.97,
  lagP99Ms: 4,
  inflight: 20,
  loops: 1,
  latencyP99Ms: undefined,
  latencyTargetMs: undefined,
  connectionsRatio: 0,
  hottestScore: 0.97,
  apps: {},
  memAvailableMiB: 4_096,
  minFreeMiB: 512,
  rssMiB: 100,
  rssBudgetMiB: undefined,
  confirmations: 2,
  belowScaleInS: 0,
  sinceScaleOutS: undefined,
  sinceScaleInS: undefined,
  totalCpus: 2,
  victimCpus: 1,
  cpusPerInstance: 1,
  cpuBudget: 7,
  hostIdleCpus: 3,
};

/** An idle one that is scaled in. */
export const CALM_TIER: Aggregates = {
  ...HOT_TIER,
  cpu: 0.1,
  lagP99Ms: 0,
  hottestScore: 0.1,
  belowScaleInS: 60,
};

/** An instance at half of its CPU. */
export const HALF_BUSY: InstanceFigures = {
  name: "web",
  standing: "counts",
  cpus: 1,
  loops: 1,
  validSamples: 15,
  cpuRatio: 0.5,
  lagP99Ms: 1,
  inflightCount: 64,
  openConnectionsCount: undefined,
  connectionLimitCount: undefined,
  latency: undefined,
  latencyP50Ms: undefined,
  latencyP95Ms: undefined,
  latencyP99Ms: undefined,
  rssMiB: 100,
  requestsPerS: undefined,
  acceptsPerS: undefined,
  droppedPerS: undefined,
  serverErrorsPerS: undefined,
  timeoutsPerS: undefined,
  queueWaitMs: undefined,
  upstreamHeadMs: undefined,
  score: { low: 0.5, high: 0.5 },
  anomalies: [],
};

/** An application of two processes. */
export const SHOP: AppFigures = {
  name: "shop",
  class: "node",
  processCount: 2,
  allottedCpus: 2,
  cpuRatio: 0.4,
  isQueueRising: false,
  queueWaitMs: undefined,
  pools: [],
  rssMiB: 200,
};

/** An evaluation of a tier, with what people are shown beside it. */
export function evaluationOf(
  input: Partial<Aggregates> = {},
  more: Partial<PressureEvaluation> = {},
): PressureEvaluation {
  const whole = { ...HOT_TIER, ...input };
  const thresholds = more.thresholds ?? DEFAULT_THRESHOLDS;
  return {
    ...evaluate(whole, thresholds),
    atMs: 600_000,
    wallMs: Date.UTC(2026, 10, 30, 10, 0, 5),
    input: whole,
    instances: [],
    apps: [],
    host: {
      cpuCount: 8,
      idleCpus: 3,
      memTotalMiB: 16_000,
      memAvailableMiB: 4_096,
      psiCpuPercent: undefined,
      psiMemoryPercent: undefined,
    },
    thresholds,
    ...more,
  };
}
