import { assertAlmostEquals, assertEquals } from "@std/assert";
import { resolveConfig } from "../config/resolve.ts";
import type { AppFigures } from "./app_window.ts";
import { HALF_BUSY, SHOP } from "../testing/tiers.ts";
import { pressureRulesOf } from "./config_rules.ts";
import type { HostFigures } from "./host_window.ts";
import type { InstanceFigures } from "./instance_figures.ts";
import type { Histogram } from "./metrics.ts";
import type { PressureRules } from "./rules.ts";
import { type TierFigures, tierOf } from "./tier.ts";

const { config } = resolveConfig({});
const RULES = pressureRulesOf({ config, instances: [], apps: [] });
const QUIET = { isScaling: false, isHeld: false };

const HOST: HostFigures = {
  cpuCount: 8,
  idleCpus: 3,
  memTotalMiB: 16_000,
  memAvailableMiB: 4_000,
  psiCpuPercent: undefined,
  psiMemoryPercent: undefined,
};

function tier(
  instances: readonly Partial<InstanceFigures>[],
  { rules = {}, apps = [], host = {}, now = QUIET }: {
    readonly rules?: Partial<PressureRules>;
    readonly apps?: readonly Partial<AppFigures>[];
    readonly host?: Partial<HostFigures>;
    readonly now?: typeof QUIET;
  } = {},
): TierFigures {
  return tierOf(
    instances.map((one) => ({ ...HALF_BUSY, ...one })),
    apps.map((one) => ({ ...SHOP, ...one })),
    { ...HOST, ...host },
    { ...RULES, ...rules },
    now,
  );
}

for (
  const [name, instances, expected] of [
    ["the CPUs of all together", [{ cpuRatio: 1 }, { cpuRatio: 0.2, cpus: 3 }], { cpu: 0.4, totalCpus: 4 }],
    ["a CPU as unknown that is unknown of one", [{}, { cpuRatio: undefined }], { cpu: undefined }],
    ["the mean lag", [{ lagP99Ms: 1 }, { lagP99Ms: 3 }], { lagP99Ms: 2 }],
    ["a loop that never ran as saturated", [{ lagP99Ms: 0 }, { lagP99Ms: NaN }], { lagP99Ms: 2.5 }],
    ["a lag of more than all as saturated", [{ lagP99Ms: 0 }, { lagP99Ms: 900 }], { lagP99Ms: 2.5 }],
    ["a lag as unknown that is unknown of one", [{}, { lagP99Ms: undefined }], { lagP99Ms: undefined }],
    ["requests in flight by what each has loops for", [{ inflightCount: 128 }, {
      inflightCount: 256,
      loops: 4,
    }], {
      inflight: 384,
      loops: 4,
    }],
    ["new ones as starting, without their figures", [{}, {
      standing: "new",
      cpuRatio: 1,
      lagP99Ms: undefined,
    }], {
      instances: 2,
      starting: 1,
      cpu: 0.5,
      lagP99Ms: 1,
    }],
    ["silent ones with what is not known of them", [{}, { standing: "stale", lagP99Ms: undefined }], {
      instances: 2,
      starting: 0,
      lagP99Ms: undefined,
    }],
    ["stopped ones as none", [{}, { standing: "stopped", cpuRatio: undefined }], { instances: 1, cpu: 0.5 }],
    ["the samples of the one that has fewest", [{}, { validSamples: 3 }], { validSamples: 3 }],
    ["no sample where all are new", [{ standing: "new" }], { validSamples: 0, cpu: undefined }],
    ["no instance as a tier without load", [], { instances: 0, cpu: 0, validSamples: RULES.neededSamples }],
    ["the largest one as the one that may be stopped", [{ cpus: 4 }, { cpus: 2 }], { victimCpus: 4 }],
    ["the fullest one's connections", [
      { openConnectionsCount: 10, connectionLimitCount: 100 },
      { openConnectionsCount: 90, connectionLimitCount: 100 },
      { openConnectionsCount: 90 },
    ], { connectionsRatio: 0.9, connectionsAfterScaleIn: 0.9 * 3 / 2 }],
    ["connections that were dropped as the limit", [
      { openConnectionsCount: 10, connectionLimitCount: 100, droppedPerS: 0.2 },
    ], { connectionsRatio: 1 }],
    ["no connection that was dropped", [
      { openConnectionsCount: 10, connectionLimitCount: 100, droppedPerS: 0 },
    ], { connectionsRatio: 0.1 }],
    ["connections as unknown that are unknown of one", [
      { openConnectionsCount: 10, connectionLimitCount: 100 },
      { connectionLimitCount: 100 },
    ], { connectionsRatio: NaN, connectionsAfterScaleIn: NaN }],
    ["connections near their limit, though they are unknown of one", [
      { openConnectionsCount: 80, connectionLimitCount: 100 },
      { connectionLimitCount: 100 },
    ], { connectionsRatio: 0.8 }],
    ["the memory of the largest", [{}, { rssMiB: 300 }], { rssMiB: 300 }],
    ["memory as unknown that is unknown of one", [{}, { rssMiB: undefined }], { rssMiB: undefined }],
  ] as const
) {
  Deno.test(`tierOf() counts ${name}`, () => {
    const found = tier(instances);
    for (const [key, value] of Object.entries(expected)) {
      assertEquals([key, found[key as keyof TierFigures]], [key, value]);
    }
  });
}

Deno.test("tierOf() takes one instance above the budget of memory for enough to know", () => {
  const rules = { rssBudgetMiB: 200 };
  assertEquals(tier([{ rssMiB: 201 }, { rssMiB: undefined }], { rules }).rssMiB, 201);
  assertEquals(tier([{ rssMiB: 200 }, { rssMiB: undefined }], { rules }).rssMiB, undefined);
});

for (
  const [name, apps, expected] of [
    ["its busiest group", [{ cpuRatio: 0.4 }, { cpuRatio: 0.7 }], { cpu: 0.7, queueRising: false }],
    ["nothing where one could not be seen", [{ cpuRatio: 0.7 }, { cpuRatio: undefined }], {
      cpu: undefined,
      queueRising: false,
    }],
    [
      "a saturated group, though another one could not be seen",
      [{ cpuRatio: undefined }, { cpuRatio: 0.9 }],
      {
        cpu: 0.9,
        queueRising: false,
      },
    ],
    ["a queue that rises, though another one could not be seen", [{ isQueueRising: undefined }, {
      isQueueRising: true,
    }], { cpu: 0.4, queueRising: true }],
    ["no queue only where each is seen to have none", [{}, { isQueueRising: undefined }], {
      cpu: 0.4,
      queueRising: undefined,
    }],
  ] as const
) {
  Deno.test(`tierOf() tells of a class ${name}`, () =>
    assertEquals(tier([{}], { apps }).apps.node, expected));
}

const buckets = (counts: readonly number[], bounds = [0.1, 1, Infinity]): Histogram => ({
  bounds,
  counts,
  sumS: undefined,
});

for (
  const [name, latencies, expected] of [
    ["of all instances together", [buckets([100, 100, 100]), buckets([0, 100, 100])], [982, false]],
    ["of few requests as one that does not count", [buckets([0, 99, 99])], [0, false]],
    ["of a hundred requests", [buckets([0, 100, 100])], [991, false]],
    ["above all buckets as cut off", [buckets([0, 0, 100])], [1_000, true]],
    ["of no request as one that is not there", [buckets([0, 0, 0])], [NaN, false]],
    ["as unknown where one instance does not tell", [buckets([0, 100, 100]), undefined], [undefined, false]],
    ["as unknown where they have no bucket in common", [
      buckets([100, 100, 100]),
      buckets([100, 100, 100], [0.2, 2, Infinity]),
    ], [undefined, false]],
  ] as const
) {
  Deno.test(`tierOf() takes the latency ${name}`, () => {
    const { latencyP99Ms, isLatencyTruncated } = tier(latencies.map((latency) => ({ latency })), {
      rules: { latencyTargetMs: 500 },
    });
    assertEquals(isLatencyTruncated, expected[1]);
    if (expected[0] === undefined || Number.isNaN(expected[0])) assertEquals(latencyP99Ms, expected[0]);
    else assertAlmostEquals(latencyP99Ms ?? NaN, expected[0], 1);
  });
}

Deno.test("tierOf() keeps a reserve of memory by the size of the host", () => {
  const free = (memTotalMiB: number | undefined, rules = {}): number =>
    tier([{}], { host: { memTotalMiB }, rules }).minFreeMiB;
  assertEquals([free(1_000), free(16_000), free(undefined), free(16_000, { minFreeMiB: 64 })], [
    256,
    800,
    256,
    64,
  ]);
});

Deno.test("tierOf() counts a start that shows no process yet, and is paused while the web is held", () => {
  const { starting, mode } = tier([{}], { now: { isScaling: true, isHeld: true } });
  assertEquals([starting, mode], [1, "paused"]);
});

Deno.test("tierOf() knows no idle CPU that could not be read", () => {
  assertEquals(tier([{}], { host: { idleCpus: undefined } }).hostIdleCpus, NaN);
});
