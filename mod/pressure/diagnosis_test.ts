import { assertEquals } from "@std/assert";
import type { Aggregates } from "./aggregates.ts";
import { CALM_TIER, evaluationOf, HALF_BUSY, SHOP } from "../testing/tiers.ts";
import { diagnose } from "./diagnosis.ts";
import type { PressureEvaluation } from "./pressure.ts";

const COOL: Partial<Aggregates> = { cpu: 0.4, lagP99Ms: 0.5, hottestScore: 0.4 };
const PHP = { ...SHOP, name: "fpm", class: "php" as const, cpuRatio: 0.5, processCount: 5, rssMiB: 305 };
const WWW = {
  name: "www",
  maxCount: 5,
  fullCount: 14,
  looksCount: 15,
  isWaiting: true,
  waitingCount: 37,
  limitReachedCount: 0,
};

interface Row {
  readonly input: Partial<Aggregates>;
  readonly more?: Partial<PressureEvaluation>;
  readonly found: readonly string[];
  readonly advice: string | undefined;
}

const ROWS: Readonly<Record<string, Row>> = {
  "a full pool": {
    input: { ...COOL, apps: { php: { cpu: 0.5, queueRising: true } } },
    more: { apps: [{ ...PHP, pools: [WWW] }] },
    found: [
      "php-fpm pool www: 5 of 5 workers busy in 14 of 15 looks, 37 waiting",
      "fpm: CPU 0.50 of 2 (5 processes)",
    ],
    advice: "raise pm.max_children only if RAM allows: 5 x 61 MiB used, 4.0 GiB available",
  },
  "a pool that is rarely seen full, and at which somebody waits": {
    input: { ...COOL, apps: { php: { cpu: 0.5, queueRising: true } } },
    more: {
      apps: [{ ...PHP, rssMiB: undefined, pools: [{ ...WWW, fullCount: 1, waitingCount: undefined }] }],
    },
    found: [
      "php-fpm pool www: 5 of 5 workers busy in 1 of 15 looks",
      "fpm: CPU 0.50 of 2 (5 processes)",
    ],
    advice: "raise pm.max_children only if RAM allows: 4.0 GiB available",
  },
  "a pool whose limit was reached between looks": {
    input: { ...COOL, apps: { php: { cpu: 0.5, queueRising: true } } },
    more: {
      apps: [{
        ...PHP,
        pools: [{ ...WWW, fullCount: 3, isWaiting: false, waitingCount: 0, limitReachedCount: 2 }],
      }],
    },
    found: [
      "php-fpm pool www: 5 of 5 workers busy in 3 of 15 looks, 0 waiting, its limit reached 2 times",
      "fpm: CPU 0.50 of 2 (5 processes)",
    ],
    advice: "raise pm.max_children only if RAM allows: 5 x 61 MiB used, 4.0 GiB available",
  },
  "PHP that wants CPU": {
    input: { ...COOL, apps: { php: { cpu: 0.95, queueRising: false } } },
    more: { apps: [{ ...PHP, cpuRatio: 0.95, pools: [{ ...WWW, fullCount: 1, isWaiting: false }] }] },
    found: ["fpm: CPU 0.95 of 2 (5 processes)"],
    advice:
      "find the slow scripts (slowlog), cache pages, or add CPUs; more workers or web instances would not help",
  },
  "the busiest of two applications": {
    input: { ...COOL, apps: { node: { cpu: 1, queueRising: false } } },
    more: { apps: [SHOP, { ...SHOP, name: "api", cpuRatio: 1, processCount: 1, allottedCpus: 1 }] },
    found: ["api: CPU 1.00 of 1 (1 process), web tier at 0.40"],
    advice:
      "run more Node processes (cluster), or find what keeps the loop busy; more web instances would not help",
  },
  "short memory": {
    input: { ...COOL, memAvailableMiB: 100 },
    more: { apps: [PHP, SHOP], instances: [{ ...HALF_BUSY, rssMiB: 2_048 }] },
    found: [
      "MemAvailable 100 MiB < min_free_ram 512 MiB",
      "largest: web 2.0 GiB, fpm (5 processes) 305 MiB, shop (2 processes) 200 MiB",
    ],
    advice:
      "lower pm.max_children or the number of processes, or add RAM; one more instance would make it worse",
  },
  "a large instance": {
    input: { ...COOL, rssMiB: 600, rssBudgetMiB: 512 },
    found: ["instance RSS 600 MiB > budget 512 MiB"],
    advice: "look for a leak, or raise rss_budget; restart the instance in a quiet hour",
  },
  "many connections of few requests": {
    input: { ...CALM_TIER, connectionsRatio: 0.9 },
    more: { instances: [{ ...HALF_BUSY, openConnectionsCount: 900, connectionLimitCount: 1_000 }] },
    found: ["web: 64 in flight, 900 of 1000 connections, CPU 0.50"],
    advice:
      "slow clients or long streams: raise the limit of connections, or shorten timeouts; more CPU would not help",
  },
  "many requests of a tier whose connections are not near their limit": {
    input: { ...CALM_TIER, inflight: 230, connectionsRatio: 0.6 },
    found: ["in-flight 0.90 connections 0.60 at CPU 0.10"],
    advice:
      "slow clients or long streams: let a proxy buffer requests, or shorten timeouts; more CPU would not help",
  },
  "a web tier that is watched": {
    input: { mode: "observe" },
    found: ["web tier: 2 instances at CPU 0.97, loops are 4.0 ms late"],
    advice: "one more instance would help; set [pressure] mode = active to let it be started",
  },
  "an instance that is too busy to answer": {
    input: { lagP99Ms: undefined },
    more: { instances: [{ ...HALF_BUSY, standing: "stale", cpuRatio: 0.97, lagP99Ms: undefined }] },
    found: ["web runs at CPU 0.97 and does not answer"],
    advice: "its loop is too busy to answer for its own figures",
  },
  "an instance that does not answer": {
    input: { lagP99Ms: undefined },
    more: { instances: [{ ...HALF_BUSY, standing: "stale", cpuRatio: undefined, lagP99Ms: undefined }] },
    found: ["web runs at CPU ? and does not answer"],
    advice: "look at the address of its figures, and whether it accepts connections",
  },
  "a tier that tells no lag": {
    input: { lagP99Ms: undefined },
    more: { instances: [{ ...HALF_BUSY, lagP99Ms: undefined }] },
    found: ["pressure 0.50 to 0.97: web has no figure of loop lag"],
    advice:
      "it is diagnosed and never scaled; saturation of the applications behind it is found all the same",
  },
  "one hot instance": {
    input: { ...COOL, hottestScore: 0.9 },
    more: {
      instances: [HALF_BUSY, { ...HALF_BUSY, name: "web@2", score: { low: 0.9, high: 0.9 } }],
    },
    found: ["web@2 is at 0.90, the tier is not"],
    advice: "rebalance: look at the weights and the stickiness of the balancer",
  },
  "an idle tier": { input: CALM_TIER, found: ["idle"], advice: undefined },
};

for (const [name, { input, more, found, advice }] of Object.entries(ROWS)) {
  Deno.test(`diagnose() says what is the matter, and what to do: ${name}`, () => {
    assertEquals(diagnose(evaluationOf({ mode: "observe", ...input }, more)), { found, advice });
  });
}
