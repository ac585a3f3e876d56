import { assertAlmostEquals, assertEquals } from "@std/assert";
import { absent, failed, ok, type Reading } from "../reading.ts";
import { figuresOf, type InstanceFigures } from "./instance_figures.ts";
import { type InstanceWindow, noteInstance } from "./instance_window.ts";
import { type Histogram, type InstanceMetrics, NO_METRICS } from "./metrics.ts";
import { pressureRulesOf } from "./config_rules.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { PressureRules } from "./rules.ts";
import type { GroupProcess, ProcessGroup } from "./sample.ts";

const { config } = resolveConfig({});
const RULES = pressureRulesOf({ config, instances: [], apps: [] });
const BY_ANSWER = { ...RULES, runsByAnswer: true };
const BY_UNIT = { ...RULES, runsByAnswer: false };

/** One look: what the processes and the page were. */
interface Look {
  readonly group: Reading<ProcessGroup>;
  readonly metrics: Reading<InstanceMetrics>;
}

const START_MS = 600_000;
const NO_ANSWER = failed("no answer");
const NO_GROUP = absent("neither a unit nor a pid file is set for it");

function process(cpuS: number, more: Partial<GroupProcess> = {}): GroupProcess {
  return { pid: 7, ppid: 1, startTicks: 100, cpuTicks: cpuS * 100, reapedTicks: 0, rssKib: 2_048, ...more };
}

const page = (metrics: Partial<InstanceMetrics> = {}): Reading<InstanceMetrics> =>
  ok({ ...NO_METRICS, ...metrics });

/** A process that uses half of a CPU, with its page. */
function look(second: number, metrics: Partial<InstanceMetrics> = { inflightCount: 4 }): Look {
  return { group: ok([process(second / 2)]), metrics: page(metrics) };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** What looks come to, one a second. */
function figuresOver(looks: readonly Look[], rules: PressureRules = BY_UNIT): InstanceFigures {
  let window: InstanceWindow | undefined;
  let atMs = START_MS;
  for (const [index, { group, metrics }] of looks.entries()) {
    atMs = START_MS + index * 1_000;
    window = noteInstance(window, { name: "web", group, metrics }, {
      atMs,
      bootMs: atMs,
      windowMs: rules.windowMs,
      warmupMs: rules.warmupMs,
      isFirstLook: index === 0,
    });
  }
  if (window === undefined) throw new Error("no look");
  return figuresOf(window, atMs, rules, { name: "web", cpus: 1, loops: 1, connectionLimit: undefined });
}

const silent = (group: Reading<ProcessGroup>): Look => ({ group, metrics: NO_ANSWER });

for (
  const [name, looks, rules, standing] of [
    ["it ran before the agent", times(2, look), BY_UNIT, "counts"],
    ["none of its processes runs", [silent(ok([]))], BY_UNIT, "stopped"],
    [
      "none of its processes ran when they could last be read",
      [
        silent(ok([])),
        ...times(4, () => silent(NO_ANSWER)),
      ],
      BY_UNIT,
      "stale",
    ],
    [
      "it answers, and none of its processes ran when they could last be read",
      [
        silent(ok([])),
        ...times(5, () => ({ group: NO_ANSWER, metrics: page() })),
      ],
      BY_UNIT,
      "new",
    ],
    [
      "it runs and has not answered for some seconds",
      times(9, () => silent(ok([process(0)]))),
      BY_UNIT,
      "new",
    ],
    ["it runs and has not answered in time", times(32, () => silent(ok([process(0)]))), BY_UNIT, "stale"],
    ["it cannot be seen at all", times(2, () => silent(NO_ANSWER)), BY_ANSWER, "stale"],
    [
      "it has missed three looks",
      [...times(9, look), ...times(3, () => silent(ok([process(5)])))],
      BY_UNIT,
      "counts",
    ],
    [
      "it has missed four looks",
      [...times(9, look), ...times(4, () => silent(ok([process(5)])))],
      BY_UNIT,
      "stale",
    ],
    ["only answers tell that it runs, and none ever came", [silent(NO_GROUP)], BY_ANSWER, "stopped"],
    [
      "only answers tell that it runs, and no more come",
      [
        { group: NO_GROUP, metrics: page() },
        ...times(4, () => silent(NO_GROUP)),
      ],
      BY_ANSWER,
      "stale",
    ],
    ["it has no page", [{ group: ok([process(0)]), metrics: absent("none") }], BY_UNIT, "counts"],
    [
      "it was started anew",
      [
        ...times(9, look),
        ...times(2, () => ({ group: ok([process(0, { pid: 8, startTicks: 60_900 })]), metrics: page() })),
      ],
      BY_UNIT,
      "new",
    ],
  ] as const
) {
  Deno.test(`figuresOf() lets an instance stand as ${standing} where ${name}`, () => {
    assertEquals(figuresOver(looks, rules).standing, standing);
  });
}

for (
  const [name, looks, valid] of [
    ["looks of which all are whole", times(15, look), 15],
    ["more looks than the window has", times(40, look), 15],
    ["a page that did not come", times(15, (at) => at === 7 ? silent(ok([process(3)])) : look(at)), 14],
    [
      "processes that could not be read",
      times(15, (at) => at < 3 ? { ...look(at), group: NO_ANSWER } : look(at)),
      12,
    ],
    ["nothing fresh", times(15, (at) => at > 11 ? { ...look(at), group: NO_ANSWER } : look(at)), 0],
    [
      "pages alone where nothing tells of processes",
      times(15, (at) => ({ ...look(at), group: NO_GROUP })),
      15,
    ],
    ["processes alone where it does not answer", [
      ...times(9, look),
      ...times(4, (at) => silent(ok([process(4 + at / 2)]))),
    ], 13],
    ["one reset", times(15, (at) => look(at, { requestsTotal: at < 9 ? at + 90 : at })), 15],
    ["two resets", times(15, (at) => look(at, { requestsTotal: 90 - at % 5 })), 0],
  ] as const
) {
  Deno.test(`figuresOf() counts valid samples: ${name}`, () =>
    assertEquals(figuresOver(looks).validSamples, valid));
}

for (
  const [name, looks, ratio] of [
    ["its processes", times(15, look), 0.5],
    ["its processes, though pages do not come", times(9, (at) => silent(ok([process(at / 2)]))), 0.5],
    [
      "its processes, over looks that failed",
      times(15, (at) => at % 5 === 1 ? silent(NO_ANSWER) : look(at)),
      0.5,
    ],
    [
      "its page where nothing tells of processes",
      times(3, (at) => ({ group: NO_GROUP, metrics: page({ cpuS: at / 4 }) })),
      0.25,
    ],
    ["its page where the processes could not be read of late", [
      ...times(3, look),
      ...times(4, (at) => ({ group: NO_ANSWER, metrics: page({ cpuS: at }) })),
    ], 1],
    ["nothing where neither could be read of late", [
      ...times(3, look),
      ...times(4, () => ({ group: NO_ANSWER, metrics: page() })),
    ], undefined],
    ["its new process alone after a restart", [
      ...times(5, (at) => ({ ...look(at), group: ok([process(900 + at)]) })),
      ...times(3, (at) => ({ ...look(at), group: ok([process(at / 10, { pid: 8, startTicks: 60_500 })]) })),
    ], 0.1],
  ] as const
) {
  Deno.test(`figuresOf() takes the CPU from ${name}`, () => {
    const { cpuRatio } = figuresOver(looks);
    if (ratio === undefined) assertEquals(cpuRatio, undefined);
    else assertAlmostEquals(cpuRatio ?? NaN, ratio, 1e-9);
  });
}

/** All observations so far, those below 1 ms first. */
const loop = (fast: number, slow: number): Histogram => ({
  bounds: [0.001, 0.01, Infinity],
  counts: [fast, fast + slow, fast + slow],
  sumS: undefined,
});

const loops = (...all: readonly Histogram[]): Partial<InstanceMetrics> => ({
  lag: { kind: "loops", loops: all },
});
const p99 = (ms: number): Partial<InstanceMetrics> => ({ lag: { kind: "p99", ms } });

for (
  const [name, looks, ms] of [
    ["nothing told", times(3, look), undefined],
    ["quantiles", times(3, (at) => look(at, p99(at))), 2],
    ["a loop that never ran", times(3, (at) => look(at, p99(NaN))), NaN],
    ["quantiles that are not told any more", [...times(3, (at) => look(at, p99(1))), look(3)], undefined],
    ["the worst of two loops", times(3, (at) => look(at, loops(loop(at * 100, 0), loop(0, at * 100)))), 9.91],
    ["a histogram in which nothing is", times(3, (at) => look(at, loops(loop(5, 5)))), NaN],
    ["one page of a histogram", [look(0, loops(loop(5, 5)))], undefined],
    ["histograms after quantiles", [
      look(0, p99(80)),
      ...times(3, (at) => look(at, loops(loop(at * 100, 0)))),
    ], 0.99],
    [
      "loops of which the first is gone, and the others have its place",
      [
        look(0, loops(loop(1_000, 0), loop(0, 9_000))),
        ...times(3, (at) => look(at, loops(loop(at * 100, 9_000)))),
      ],
      0.99,
    ],
    [
      "loops of which one came just now",
      [...times(3, (at) => look(at, loops(loop(at * 100, 0)))), look(3, loops(loop(9, 9), loop(300, 0)))],
      undefined,
    ],
  ] as const
) {
  Deno.test(`figuresOf() takes the lag from ${name}`, () => {
    const { lagP99Ms } = figuresOver(looks);
    if (ms === undefined || Number.isNaN(ms)) assertEquals(lagP99Ms, ms);
    else assertAlmostEquals(lagP99Ms ?? NaN, ms, 0.001);
  });
}

Deno.test("figuresOf() knows no gauge that the newest page does not have", () => {
  const looks = [...times(9, (at) => look(at, { inflightCount: 4, openConnectionsCount: 8 })), look(9, {})];
  const { inflightCount, openConnectionsCount } = figuresOver(looks);
  assertEquals([inflightCount, openConnectionsCount], [undefined, undefined]);
});

Deno.test("figuresOf() knows no latency that the newest page does not have", () => {
  const looks = [...times(9, (at) => look(at, { latency: loop(at, 0) })), look(9, {})];
  assertEquals(figuresOver(looks).latency, undefined);
});

Deno.test("figuresOf() tells what cannot be true", () => {
  const { anomalies } = figuresOver(
    times(3, (at) => ({ ...look(at, { inflightCount: -1 }), group: ok([process(at * 2)]) })),
  );
  assertEquals(anomalies, ["cpu_over", "inflight_negative"]);
});
