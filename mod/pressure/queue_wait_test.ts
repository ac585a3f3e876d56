import { assertEquals } from "@std/assert";
import type { WaitMetric } from "./metrics.ts";
import { isWaitRising, meanWaitMs, type WaitPoint } from "./queue_wait.ts";

/** One look a second. */
function looks(...waits: readonly (readonly [sumS: number, count: number] | undefined)[]): WaitPoint[] {
  return waits.map((wait, index): WaitPoint => ({ atMs: index * 1_000, wait: wait && metric(wait) }));
}

function metric([sumS, count]: readonly [number, number]): WaitMetric {
  return { sumS, count };
}

for (
  const [name, points, isRising] of [
    ["no look", looks(), false],
    ["one look", looks([1, 100]), false],
    ["a wait of half as much again", looks([0, 0], [0.4, 20], [1, 40]), true],
    ["a wait of a little less than that", looks([0, 0], [0.4, 20], [0.99, 40]), false],
    ["a wait from nothing to 5 ms", looks([0, 0], [0, 20], [0.1, 40]), true],
    ["a wait that no user would notice", looks([0, 0], [0, 20], [0.09, 40]), false],
    ["too few requests early", looks([0, 0], [0.01, 19], [1, 40]), false],
    ["too few requests late", looks([0, 0], [0.01, 20], [1, 39]), false],
    ["a look in the middle that told nothing", looks([0, 0], [0, 20], undefined, [0.1, 40], [0.4, 60]), true],
    ["counters that began anew late", looks([10, 900], [10.2, 920], [0.4, 20]), true],
  ] as const
) {
  Deno.test(`isWaitRising() is ${isRising} for ${name}`, () => assertEquals(isWaitRising(points), isRising));
}

for (
  const [name, points, ms] of [
    ["no request", looks([5, 9], [5, 9]), undefined],
    ["all requests between the looks", looks([5, 9], undefined, [5.5, 11]), 250],
    ["counters that began anew and passed what they were", looks([5, 10], [0.1, 1], [6, 12]), 500],
  ] as const
) {
  Deno.test(`meanWaitMs() counts ${name}`, () => assertEquals(meanWaitMs(points, 1), ms));
}
