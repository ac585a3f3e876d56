/** Evaluations of pressure for tests. */

import type { Aggregates } from "../pressure/aggregates.ts";
import type { AppFigures } from "../pressure/app_window.ts";
import { evaluate } from "../pressure/evaluate.ts";
import type { InstanceFigures } from "../pressure/instance_figures.ts";
import { exactly } from "../pressure/interval.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import { DEFAULT_THRESHOLDS } from "../pressure/rules.ts";

/** Two busy instances of which everything is known. */
export const BUSY_TIER: Aggregates = {
  instances: 2,
  minInstances: 1,
  maxInstances: 4,
  starting: 0,
  mode: "observe",
  validSamples: 15,
  neededSamples: 12,
  cpu: 1.02,
  lagP99Ms: 3.1,
  inflight: 64,
  loops: 1,
  latencyP99Ms: 250,
  latencyTargetMs: 500,
  connectionsRatio: 0.25,
  hottestScore: 0.97,
  apps: {},
  memAvailableMiB: 2_048,
  minFreeMiB: 512,
  rssMiB: 120,
  rssBudgetMiB: undefined,
  confirmations: 2,
  belowScaleInS: 0,
  sinceScaleOutS: undefined,
  sinceScaleInS: undefined,
  totalCpus: 2,
  victimCpus: 1,
  cpusPerInstance: 1,
  cpuBudget: 8,
  hostIdleCpus: 4,
};

/** One of them. */
export const BUSY_INSTANCE: InstanceFigures = {
  name: "web@1",
  standing: "counts",
  cpus: 1,
  loops: 1,
  validSamples: 15,
  cpuRatio: 1.02,
  lagP99Ms: 3.1,
  inflightCount: 64,
  openConnectionsCount: 128,
  connectionLimitCount: 512,
  latency: undefined,
  latencyP50Ms: 20,
  latencyP95Ms: 120,
  latencyP99Ms: 250,
  rssMiB: 120,
  requestsPerS: 80,
  acceptsPerS: 12,
  droppedPerS: 0,
  serverErrorsPerS: 0.5,
  timeoutsPerS: 0,
  queueWaitMs: 2,
  upstreamHeadMs: 40,
  score: exactly(1),
  anomalies: [],
};

/** An application behind them. */
export const BUSY_APP: AppFigures = {
  name: "shop",
  class: "php",
  processCount: 12,
  allottedCpus: 4,
  cpuRatio: 1.1,
  isQueueRising: true,
  queueWaitMs: 30,
  pools: [],
  rssMiB: 600,
};

/** An evaluation of the tier and its parts, as they are or with other figures of the tier. */
export function anEvaluation(input: Partial<Aggregates> = {}): PressureEvaluation {
  const whole = { ...BUSY_TIER, ...input };
  return {
    ...evaluate(whole, DEFAULT_THRESHOLDS),
    atMs: 60_000,
    wallMs: 1_796_011_768_532,
    input: whole,
    instances: [BUSY_INSTANCE],
    apps: [BUSY_APP],
    host: {
      cpuCount: 9,
      idleCpus: 4,
      memTotalMiB: 8_192,
      memAvailableMiB: 2_048,
      psiCpuPercent: undefined,
      psiMemoryPercent: undefined,
    },
    thresholds: DEFAULT_THRESHOLDS,
  };
}
