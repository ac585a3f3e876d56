import { assertAlmostEquals, assertEquals } from "@std/assert";
import { absent, failed, ok } from "../reading.ts";
import { type AppFigures, appFiguresOf, type AppWindow, noteApp } from "./app_window.ts";
import type { AppRules } from "./rules.ts";
import type { AppSample, GroupProcess, PoolSample } from "./sample.ts";

const HOST_CPUS = 8;
const NODE: AppRules = { name: "shop", class: "node", cpus: undefined, queue: "none" };
const PHP: AppRules = { name: "shop", class: "php", cpus: undefined, queue: "php-fpm" };

function process(pid: number, cpuS: number): GroupProcess {
  return { pid, ppid: 1, startTicks: 1, cpuTicks: Math.round(cpuS * 100), reapedTicks: 0, rssKib: 1_024 };
}

/** What looks come to, one a second; undefined is one at which the processes could not be read. */
function figuresOver(
  looks: readonly (Partial<AppSample> | undefined)[],
  rules: AppRules = NODE,
): AppFigures {
  let window: AppWindow | undefined;
  for (const [index, look] of looks.entries()) {
    const sample: AppSample = {
      name: "shop",
      group: failed("no answer"),
      allowedCpus: undefined,
      pools: [],
      queueWait: absent("none"),
      ...look,
    };
    const atMs = 60_000 + index * 1_000;
    window = noteApp(window, sample, { atMs, bootMs: atMs, windowMs: 15_000 });
  }
  if (window === undefined) throw new Error("no look");
  return appFiguresOf(window, rules, HOST_CPUS);
}

/** Looks at processes that have used so many seconds each. */
function processes(
  ...looks: readonly (readonly number[] | undefined)[]
): readonly (Partial<AppSample> | undefined)[] {
  return looks.map((all) => all && { group: ok(all.map((cpuS, index) => process(index + 1, cpuS))) });
}

/** So many seconds, in which each process uses so much. */
function seconds(count: number, ...cpus: readonly number[]): readonly Partial<AppSample>[] {
  return Array.from({ length: count }, (_, second) => ({
    group: ok(cpus.map((cpu, index) => process(index + 1, cpu * second))),
  }));
}

for (
  const [name, looks, ratio] of [
    ["one look", processes([5]), undefined],
    ["two processes of equal load", seconds(15, 0.5, 0.5), 0.5],
    ["one loop of three that is full", seconds(15, 1, 0.1, 0.1), 1],
    ["a process that is threaded uses at most one CPU", seconds(15, 3, 0, 0, 0), 1],
    ["a look that failed in between", processes([0], undefined, [1]), 0.5],
    ["looks that all failed of late", [...seconds(12, 1), undefined, undefined, undefined], undefined],
    [
      "no process full, after looks that failed before the window",
      [{ group: ok([process(1, 0)]) }, ...Array(15).fill(undefined), ...processes([8], [8.5], [9])],
      0.5,
    ],
    ["a group that does not run", [{ group: ok([]) }, { group: ok([]) }], 0],
  ] as const
) {
  Deno.test(`appFiguresOf() gives the CPU of ${name}`, () => {
    const { cpuRatio } = figuresOver(looks);
    if (ratio === undefined) assertEquals(cpuRatio, undefined);
    else assertAlmostEquals(cpuRatio ?? NaN, ratio, 1e-9);
  });
}

const pool = (more: Partial<PoolSample> = {}): PoolSample => ({
  name: "www",
  maxCount: 5,
  busyCount: 2,
  waitingCount: 0,
  limitReachedCount: undefined,
  ...more,
});

const php = (...pools: readonly PoolSample[]): Partial<AppSample> => ({ group: ok([process(1, 0)]), pools });

for (
  const [name, looks, rules, cpus] of [
    ["a loop for each process", seconds(2, 0, 0), NODE, 2],
    [
      "what its cgroup allows",
      [{ group: ok([1, 2, 3].map((pid) => process(pid, 0))), allowedCpus: 1.5 }],
      NODE,
      1.5,
    ],
    ["what is set, whatever it could use", seconds(2, 0), { ...NODE, cpus: 4 }, 4],
    ["the workers of all its pools", [php(pool(), pool({ name: "api", maxCount: 1 }))], PHP, 6],
    ["the host's CPUs where it has more workers", [php(pool({ maxCount: 90 }))], PHP, 8],
    ["its workers also when the pools could not be told in time", [php(pool()), php()], PHP, 5],
  ] as const
) {
  Deno.test(`appFiguresOf() allots ${name}`, () =>
    assertEquals(figuresOver(looks, rules).allottedCpus, cpus));
}

const waits = (waitingCount: number | undefined): Partial<AppSample> => php(pool({ waitingCount }));
const reached = (limitReachedCount: number | undefined): Partial<AppSample> =>
  php(pool({ limitReachedCount }));

for (
  const [name, looks, rules, isRising] of [
    ["nobody waits", [waits(0), waits(0), waits(0)], PHP, false],
    ["somebody waits in half of the looks", [waits(0), waits(3), waits(0), waits(1)], PHP, true],
    ["somebody waits in two looks, of which there are no more", [waits(3), waits(1)], PHP, false],
    [
      "somebody waits in half of those that told",
      [
        ...[0, 3, 1].map(waits),
        ...Array(5).fill(waits(undefined)),
        waits(0),
      ],
      PHP,
      true,
    ],
    ["the limit was reached, between looks that saw nobody wait", [3, undefined, 4].map(reached), PHP, true],
    ["the limit was reached before the window alone", [4, 4, 4].map(reached), PHP, false],
    ["php-fpm was started anew, and has not reached it since", [4, 0, 0].map(reached), PHP, false],
    ["the limit was reached after a new start", [4, 0, 1].map(reached), PHP, true],
    ["the last look did not tell", [waits(0), waits(0), waits(undefined)], PHP, undefined],
    ["the pools could not be told in time", [waits(0), waits(0), php()], PHP, undefined],
    ["no instance told the wait", seconds(3, 0), { ...NODE, queue: "instances" }, undefined],
    [
      "the instances told a wait",
      [{ queueWait: ok({ sumS: 0, count: 0 }) }],
      { ...NODE, queue: "instances" },
      false,
    ],
    ["nothing is set that tells", seconds(3, 0), NODE, false],
  ] as const
) {
  Deno.test(`appFiguresOf() finds the queue rising ${isRising} where ${name}`, () => {
    assertEquals(figuresOver(looks, rules).isQueueRising, isRising);
  });
}

Deno.test("appFiguresOf() counts full looks among those that told how many are busy", () => {
  const looks = [5, undefined, 5, 4].map((busyCount) => php(pool({ busyCount })));
  const [www] = figuresOver(looks, PHP).pools;
  assertEquals([www?.fullCount, www?.looksCount], [2, 3]);
});

Deno.test("appFiguresOf() forgets processes that could not be read of late", () => {
  const known = figuresOver([...seconds(2, 0), undefined, undefined]);
  const lost = figuresOver([...seconds(2, 0), undefined, undefined, undefined]);
  assertEquals([known.processCount, known.rssMiB], [1, 1]);
  assertEquals([lost.processCount, lost.rssMiB], [undefined, undefined]);
});
