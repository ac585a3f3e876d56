import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { absent, failed, ok } from "../reading.ts";
import { step } from "./ladder.ts";
import { INITIAL_STATE } from "./state.ts";
import { actionsOf, BUSY_GATE, climb, DEFAULT_RULES, loadOf, sampleAt, steady } from "../testing/climb.ts";
import { holdsTier, type LoadPercents, tierOf } from "./tier.ts";
import type { GateReadings, Sample } from "./sample.ts";

Deno.test("step() gives the same step for the same state and sample, and changes neither", () => {
  const sample = sampleAt(0, 700);
  const state = Object.freeze({ ...INITIAL_STATE, markers: Object.freeze([...INITIAL_STATE.markers]) });
  assertEquals(step(state, sample, DEFAULT_RULES), step(state, sample, DEFAULT_RULES));
});

Deno.test("step() asks for the gate readings before a drastic re-check alone", () => {
  assertEquals(step(INITIAL_STATE, sampleAt(0, 100), DEFAULT_RULES).next, { atMs: 5_000, needs: "load" });
  assertEquals(step(INITIAL_STATE, sampleAt(0, 300), DEFAULT_RULES).next, { atMs: 9_000, needs: "load" });
  assertEquals(step(INITIAL_STATE, sampleAt(0, 700), DEFAULT_RULES).next, { atMs: 9_000, needs: "gate" });
  assertEquals(step(INITIAL_STATE, sampleAt(0, 900), DEFAULT_RULES).next, { atMs: 9_000, needs: "gate" });
});

Deno.test("step() does not exempt on a backup or an iowait that is unknown", () => {
  const gates: readonly (readonly [string, GateReadings])[] = [
    ["unknown backup", { ...BUSY_GATE, backups: failed("ps did not end"), iowaitPercent: ok(90) }],
    ["unknown iowait", { ...BUSY_GATE, backups: ok(["duplicity"]), iowaitPercent: failed("cut") }],
    ["no backup", { ...BUSY_GATE, backups: ok([]), iowaitPercent: ok(90) }],
    ["not asked for", { ...BUSY_GATE, backups: absent("not read"), iowaitPercent: absent("not read") }],
  ];
  for (const [name, gate] of gates) {
    const steps = climb([sampleAt(0, 700), sampleAt(9_000, 700, gate)]);
    assertEquals(actionsOf(steps), ["pause-web"], name);
  }
  const exempt = { ...BUSY_GATE, backups: ok(["duplicity"]), iowaitPercent: ok(10) };
  assertEquals(actionsOf(climb([sampleAt(0, 700), sampleAt(9_000, 700, exempt)])), ["exempt-backup-iowait"]);
});

Deno.test("step() says that nothing wants the CPU, and acts as configured", () => {
  const idleGate = { ...BUSY_GATE, runnableTasks: ok(0), psiCpuPercent: ok(0.2) };
  const samples: readonly Sample[] = [
    sampleAt(0, 900),
    { ...sampleAt(9_000, 900, idleGate), load: ok(loadOf(900, 900, { cpuBusyRatio: 0.03 })) },
  ];
  const advised = climb(samples).at(-1)?.decision;
  assertEquals([advised?.witness?.cpu, advised?.actions], ["not-wanted", ["kill-runaways", "pause-web"]]);
  const required = climb(samples, { ...DEFAULT_RULES, witness: "require" }).at(-1)?.decision;
  assertEquals([required?.reason, required?.actions, required?.markers], ["no-cpu-demand", [], []]);
});

Deno.test("step() lets one witness that says so carry a required witness, and none that is unknown", () => {
  const silent = { ...BUSY_GATE, runnableTasks: absent("x"), psiCpuPercent: absent("x") };
  const rules = { ...DEFAULT_RULES, witness: "require" as const };
  assertEquals(actionsOf(climb([sampleAt(0, 700), sampleAt(9_000, 700, silent)], rules)), []);
  const one = { ...silent, psiCpuPercent: ok(10) };
  assertEquals(actionsOf(climb([sampleAt(0, 700), sampleAt(9_000, 700, one)], rules)), ["pause-web"]);
});

Deno.test("step() only reports an overdue hold where the configuration says so, and once", () => {
  const rules = { ...DEFAULT_RULES, maxHoldMs: 60_000, onMaxHold: "alert" as const };
  const steps = climb(steady(0, 300, 700), rules);
  assertEquals(actionsOf(steps), ["pause-web"]);
  assertEquals(steps.flatMap(({ decision }) => decision.alerts), ["max-hold-reached"]);
  assert(steps.at(-1)?.decision.paused);
});

Deno.test("step() holds without end where the deadline is 0", () => {
  const steps = climb(steady(0, 7_200, 700), { ...DEFAULT_RULES, maxHoldMs: 0 });
  assertEquals(actionsOf(steps), ["pause-web"]);
});

Deno.test("step() never goes beyond SPIDER while the configuration is unusable", () => {
  const steps = climb(steady(0, 60, 2_000), { ...DEFAULT_RULES, drasticAllowed: false });
  assertEquals(actionsOf(steps), ["crawler-block-on"]);
  assertEquals(steps[0]?.decision.overPercent, 210);
});

Deno.test("step() gives a hold back when the loadavg line stands still while the CPUs work", () => {
  const frozen = (fromS: number, toS: number): readonly Sample[] =>
    steady(fromS, toS, 700).map((sample) => ({
      ...sample,
      load: ok(loadOf(700, 700, { line: "14.00 14.00 9.00 3/90 4242", cpuBusyRatio: 0.9 })),
    }));
  const steps = climb(frozen(0, 700));
  assertEquals(actionsOf(steps), ["pause-web", "resume-web"]);
  const last = steps.at(-1)?.decision;
  assertEquals([last?.tier, last?.reason, last?.paused], ["unknown", "load-frozen", false]);
  const idle = climb(
    frozen(0, 700).map((sample) => ({
      ...sample,
      load: ok(loadOf(700, 700, { line: "14.00 14.00 9.00 3/90 4242", cpuBusyRatio: 0.01 })),
    })),
  );
  assertEquals(idle.at(-1)?.decision.tier, "max", "a quiet host with nothing to report is not frozen");
});

Deno.test("step() believes a loadavg again as soon as it moves", () => {
  const still = steady(0, 700, 100).map((sample) => ({
    ...sample,
    load: ok(loadOf(100, 100, { line: "2.00 2.00 2.00 2/90 42", cpuBusyRatio: 0.9 })),
  }));
  const moved = { ...sampleAt(800_000, 90), load: ok(loadOf(90, 90, { line: "1.80 2.00 2.00 2/90 43" })) };
  const steps = climb([...still, moved]);
  assertEquals([steps.at(-2)?.decision.tier, steps.at(-1)?.decision.tier], ["unknown", "normal"]);
});

Deno.test("step() pauses and gives back by hand at once, whatever the load, and holds on without a valid one", () => {
  const held = { byHand: "hold" } as const;
  const steps = climb([
    { ...sampleAt(0, 20), ...held },
    { ...sampleAt(5_000, undefined), ...held },
    { ...sampleAt(80_000, undefined), ...held },
    { ...sampleAt(90_000, 20), ...held },
    sampleAt(95_000, 20),
  ]);
  assertEquals(steps.map(({ decision }) => decision.actions), [["pause-web"], [], [], [], ["resume-web"]]);
  assertEquals(steps.map(({ decision }) => decision.paused), [true, true, true, true, false]);
});

Deno.test("step() gives back by hand what the load paused, and does not pause while that lasts", () => {
  const up = { byHand: "resume" } as const;
  const samples = steady(0, 40, 900).map((sample) =>
    sample.monotonicMs < 15_000 ? sample : { ...sample, ...up }
  );
  const steps = climb([...samples, ...steady(60, 80, 900)]);
  assertEquals(actionsOf(steps), [
    "kill-runaways",
    "pause-web",
    "resume-web",
    "kill-runaways",
    "kill-runaways",
    "kill-runaways",
    "pause-web",
  ]);
  const kept = steps.find(({ decision }) => decision.reason === "kept-up-by-hand")?.decision;
  assertEquals([kept?.confirmed, kept?.paused, kept?.markers], [true, false, []]);
});

Deno.test("step() follows what a person asks for before it is due, and leaves a re-check where it is", () => {
  const asked = step(INITIAL_STATE, sampleAt(0, 700), DEFAULT_RULES).state;
  for (
    const [name, byHand, actions, reason] of [
      ["a drain", undefined, [], "recheck-asked"],
      ["a pause", "hold", ["pause-web"], "held-by-hand"],
    ] as const
  ) {
    const early = step(asked, { ...sampleAt(2_000, 700), byHand }, DEFAULT_RULES);
    assertEquals([early.next, early.state.pending], [{ atMs: 9_000, needs: "gate" }, "max"], name);
    const { phase, confirmed, tier, paused } = early.decision;
    assertEquals([early.decision.actions, early.decision.reason], [actions, reason], name);
    assertEquals([phase, confirmed, tier, paused], ["pass", false, "max", byHand === "hold"], name);
    const due = step(early.state, { ...sampleAt(9_000, 700), byHand }, DEFAULT_RULES);
    assertEquals([due.decision.phase, due.decision.confirmed], ["recheck", true], name);
  }
});

Deno.test("step() looks at the load anew when a person wants the web up in the middle of a re-check", () => {
  const held = climb(steady(0, 15, 700)).at(-1)?.state ?? INITIAL_STATE;
  const release = { ...sampleAt(15_000, 700), byHand: "resume" } as const;
  assertEquals([held.hold !== undefined, held.pending, held.nextDueMs], [true, "max", 23_000]);
  const early = step(held, release, DEFAULT_RULES);
  assertEquals([early.decision.phase, early.decision.actions], ["pass", ["resume-web", "recheck"]]);
  assertEquals([early.decision.paused, early.next.atMs], [false, 24_000]);
  const calm = step(held, { ...release, load: ok(loadOf(20, 20)) }, DEFAULT_RULES);
  assertEquals([calm.state.pending, calm.next.atMs], [undefined, 20_000]);
});

Deno.test("step() keeps a pause by hand that the load has latched meanwhile until both are over", () => {
  const samples = steady(0, 20, 900).map((sample) => ({ ...sample, byHand: "hold" as const }));
  const steps = climb([...samples, ...steady(20, 40, 500), ...steady(40, 80, 20)]);
  assertEquals(actionsOf(steps).filter((action) => action !== "kill-runaways"), [
    "pause-web",
    "crawler-block-on",
    "resume-web",
    "crawler-block-off",
  ]);
  assertEquals(
    steps.find(({ decision }) => decision.actions.includes("resume-web"))?.decision.tier,
    "normal",
  );
});

Deno.test("step() pauses again what others started in a hold only after a newly confirmed MAX", () => {
  const partly = { heldWeb: "partly-started" } as const;
  const steps = climb([
    sampleAt(0, 700),
    sampleAt(9_000, 700),
    { ...sampleAt(14_000, 700), ...partly },
    { ...sampleAt(23_000, 700), ...partly },
    { ...sampleAt(28_000, 700), heldWeb: "stopped" },
    { ...sampleAt(37_000, 700), heldWeb: "running" },
    sampleAt(42_000, 700),
    sampleAt(51_000, 700),
  ]);
  assertEquals(steps.map(({ decision }) => decision.actions), [
    ["recheck"],
    ["pause-web"],
    ["recheck"],
    ["pause-web"],
    ["recheck"],
    ["pause-web"],
    ["recheck"],
    [],
  ]);
  assertEquals(steps.map(({ decision }) => decision.alerts.length), [0, 0, 1, 0, 0, 1, 0, 0]);
});

Deno.test("step() tries again at a newly confirmed MAX to pause what could not be stopped, and blames nobody", () => {
  for (const heldWeb of ["partly-stopped", "not-stopped"] as const) {
    const steps = climb([
      sampleAt(0, 700),
      sampleAt(9_000, 700),
      { ...sampleAt(14_000, 700), heldWeb },
      sampleAt(23_000, 700),
    ]);
    assertEquals(steps.map(({ decision }) => decision.actions), [
      ["recheck"],
      ["pause-web"],
      ["recheck"],
      ["pause-web"],
    ]);
    assertEquals(steps.flatMap(({ decision }) => decision.alerts), []);
  }
});

Deno.test("step() ends a pause at its deadline also when others start a part of it now and then", () => {
  const samples = Array.from({ length: 140 }, (_, pass) => [
    sampleAt(pass * 14_000, 700),
    {
      ...sampleAt(pass * 14_000 + 9_000, 700),
      ...pass % 20 === 19 ? { heldWeb: "partly-started" as const } : {},
    },
  ]).flat();
  const resumed = climb(samples).find(({ decision }) => decision.actions.includes("resume-web"))?.decision;
  assertEquals([resumed?.monotonicMs, resumed?.reason], [1_815_000, "max-hold-reached"]);
});

/** Percentages around every threshold, and unknown ones. */
const PERCENT = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 0, max: 1_500 }),
  fc.constantFrom(209, 210, 211, 487, 488, 489, 609, 610, 611, 809, 810, 811),
);

const GATE: fc.Arbitrary<GateReadings> = fc.record({
  backups: fc.constantFrom(ok([]), ok(["duplicity"]), failed("x"), absent("x")),
  iowaitPercent: fc.oneof(fc.integer({ min: 0, max: 100 }).map(ok), fc.constant(failed("x"))),
  runnableTasks: fc.oneof(fc.integer({ min: 0, max: 99 }).map(ok), fc.constant(absent("x"))),
  psiCpuPercent: fc.oneof(fc.integer({ min: 0, max: 100 }).map(ok), fc.constant(absent("x"))),
  psiIoPercent: fc.constant(absent("x")),
});

const TRACE = fc.array(fc.tuple(fc.integer({ min: 100, max: 20_000 }), PERCENT, GATE), {
  maxLength: 120,
  size: "max",
})
  .map(
    (rows) => {
      let monotonicMs = 0;
      return rows.map(([gapMs, percent, gate]) => sampleAt(monotonicMs += gapMs, percent, gate));
    },
  );

const ESCALATIONS: ReadonlySet<string> = new Set([
  "crawler-block-on",
  "kill-runaways",
  "pause-web",
  "recheck",
]);

Deno.test("step() never escalates on an unknown load, and keeps no hold on one for longer than a minute", () => {
  fc.assert(
    fc.property(TRACE, (samples) => {
      let lastValidMs: number | undefined;
      for (const { decision } of climb(samples)) {
        if (decision.tier !== "unknown") {
          lastValidMs = decision.monotonicMs;
          continue;
        }
        assert(!decision.actions.some((action) => ESCALATIONS.has(action)), JSON.stringify(decision));
        const blindMs = decision.monotonicMs - (lastValidMs ?? decision.monotonicMs);
        assert(blindMs < 60_000 || !decision.paused, JSON.stringify(decision));
      }
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("step() acts on a tier only at its re-check, after a pass that asked for it", () => {
  fc.assert(
    fc.property(TRACE, (samples) => {
      let asked: string | undefined;
      for (const { decision } of climb(samples)) {
        const acts = decision.actions.some((action) => ESCALATIONS.has(action) && action !== "recheck");
        if (acts) assertEquals([decision.phase, decision.confirmed, asked], ["recheck", true, decision.tier]);
        asked = decision.actions.includes("recheck") ? decision.tier : undefined;
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("step() holds nothing after a long quiet stretch, whatever came before", () => {
  fc.assert(
    fc.property(TRACE, (samples) => {
      const quietFromMs = (samples.at(-1)?.monotonicMs ?? 0) + 1_000;
      const quiet = Array.from({ length: 60 }, (_, index) => sampleAt(quietFromMs + index * 1_000, 20));
      const last = climb([...samples, ...quiet]).at(-1)?.decision;
      assertEquals([last?.paused, last?.crawlerBlock, last?.markers], [false, false, ["normal_load"]]);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("step() pauses only what runs and gives back only what it paused", () => {
  fc.assert(
    fc.property(TRACE, (samples) => {
      let paused = false;
      let blocked = false;
      for (const { decision } of climb(samples)) {
        for (const action of decision.actions) {
          if (action === "pause-web") assert(!paused), paused = true;
          if (action === "resume-web") assert(paused), paused = false;
          if (action === "crawler-block-on") assert(!blocked), blocked = true;
          if (action === "crawler-block-off") assert(blocked), blocked = false;
        }
        assertEquals([decision.paused, decision.crawlerBlock], [paused, blocked]);
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("tierOf() never gives a lower tier for a higher load", () => {
  const percent = fc.integer({ min: 0, max: 20_000 }).map((tenths) => tenths / 10);
  const order = ["normal", "spider", "max", "crit"];
  const percents = (load1Percent: number, load5Percent: number): LoadPercents => ({
    load1Percent,
    load5Percent,
    higherPercent: Math.max(load1Percent, load5Percent),
  });
  fc.assert(fc.property(percent, percent, percent, (a, b, rise) => {
    const low = tierOf(percents(a, b), DEFAULT_RULES);
    const high = percents(a + rise, b);
    assert(order.indexOf(tierOf(high, DEFAULT_RULES)) >= order.indexOf(low));
    if (low !== "normal") assert(holdsTier(low, high, DEFAULT_RULES));
  }));
});
