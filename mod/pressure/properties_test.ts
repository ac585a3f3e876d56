import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { parsePressureRecord, recordOfAggregates, recordOfEvaluation } from "../replay/pressure_record.ts";
import type { Aggregates } from "./aggregates.ts";
import { evaluate } from "./evaluate.ts";
import { besideText, fixedText } from "./figure.ts";
import { isKnown } from "./interval.ts";
import { PRESSURE_REASONS } from "./reasons.ts";
import { DEFAULT_THRESHOLDS } from "./rules.ts";

const ratio = fc.double({ min: 0, max: 1.1, noNaN: true });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 8 });
const app = fc.record({ cpu: maybe(ratio), queueRising: maybe(fc.boolean()) });

/** What a tier rarely is: each of many gates open, but for one or two. */
const mostly = <T>(usual: T, ...others: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 8 },
    ...others.map((arbitrary) => ({ arbitrary, weight: 1 })),
  );
const MAYBE_SINCE = mostly<number | undefined>(undefined, fc.integer({ min: 0, max: 400 }));

/** Figures of any tier, most of them near one that would be scaled. */
const tiers: fc.Arbitrary<Aggregates> = fc.record({
  instances: mostly(2, fc.integer({ min: 0, max: 5 })),
  minInstances: fc.integer({ min: 1, max: 2 }),
  maxInstances: mostly(4, fc.integer({ min: 2, max: 5 })),
  starting: mostly(0, fc.constant(1)),
  mode: mostly<Aggregates["mode"]>("active", fc.constantFrom("observe", "paused")),
  validSamples: mostly(15, fc.constantFrom(12, 11, 0)),
  neededSamples: fc.constant(12),
  cpu: fc.oneof(maybe(ratio), fc.constantFrom(0.1, 0.9)),
  lagP99Ms: fc.oneof(maybe(fc.double({ min: 0, max: 8, noNaN: true })), fc.constantFrom(0, 5, NaN)),
  inflight: fc.oneof(maybe(fc.double({ min: 0, max: 300, noNaN: true })), fc.constant(20)),
  loops: fc.integer({ min: 1, max: 4 }),
  latencyP99Ms: mostly<number | undefined>(
    50,
    maybe(fc.double({ min: 0, max: 900, noNaN: true })),
    fc.constant(NaN),
  ),
  latencyTargetMs: mostly<number | undefined>(undefined, fc.constant(500)),
  connectionsRatio: mostly(0, ratio),
  hottestScore: mostly(0, ratio),
  apps: mostly<Aggregates["apps"]>(
    {},
    fc.record({ php: app, node: app, python: app }, { requiredKeys: [] }),
    fc.record({ node: app }),
  ),
  memAvailableMiB: mostly<number | undefined>(4_096, maybe(fc.integer({ min: 100, max: 1_000 }))),
  minFreeMiB: fc.constant(512),
  rssMiB: mostly<number | undefined>(120, maybe(fc.integer({ min: 10, max: 700 }))),
  rssBudgetMiB: mostly<number | undefined>(undefined, fc.constant(512)),
  confirmations: mostly(2, fc.constantFrom(0, 1)),
  belowScaleInS: mostly(60, fc.constantFrom(0, 55)),
  sinceScaleOutS: MAYBE_SINCE,
  sinceScaleInS: MAYBE_SINCE,
  totalCpus: fc.integer({ min: 2, max: 8 }),
  victimCpus: fc.constant(1),
  cpusPerInstance: fc.constant(1),
  cpuBudget: mostly(9, fc.integer({ min: 1, max: 9 })),
  hostIdleCpus: mostly<number | undefined>(3, fc.constantFrom(undefined, NaN, 0.2)),
  isFlapping: mostly(false, fc.constant(true)),
  drains: mostly(true, fc.constant(false)),
  isLatencyTruncated: mostly(false, fc.constant(true)),
});

const RUNS = { numRuns: 3_000 };

Deno.test("evaluate() gives a score from 0 to 1, whatever the figures are", () => {
  const any = fc.option(fc.double(), { nil: undefined });
  fc.assert(
    fc.property(tiers, any, any, any, any, (tier, cpu, lagP99Ms, inflight, latencyP99Ms) => {
      const { score } = evaluate({ ...tier, cpu, lagP99Ms, inflight, latencyP99Ms }, DEFAULT_THRESHOLDS);
      assert(score.low >= 0 && score.low <= score.high && score.high <= 1, `${score.low} to ${score.high}`);
    }),
    RUNS,
  );
});

Deno.test("evaluate() never lowers the score when a component rises", () => {
  const rise = fc.record({
    cpu: fc.double({ min: 0, max: 1, noNaN: true }),
    lagP99Ms: fc.double({ min: 0, max: 5, noNaN: true }),
    inflight: fc.double({ min: 0, max: 100, noNaN: true }),
    latencyP99Ms: fc.double({ min: 0, max: 500, noNaN: true }),
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(tiers, rise, (tier, by) => {
      const raised = Object.fromEntries(
        Object.entries(by).map(([key, more]) => {
          const before = tier[key as keyof typeof by];
          return [key, before === undefined ? undefined : before + more];
        }),
      );
      const before = evaluate(tier, DEFAULT_THRESHOLDS).score;
      const after = evaluate({ ...tier, ...raised }, DEFAULT_THRESHOLDS).score;
      assert(after.low >= before.low && after.high >= before.high);
    }),
    RUNS,
  );
});

Deno.test("evaluate() acts on a saturated or an idle tier alone, within its bounds, on enough samples", () => {
  let outs = 0;
  let ins = 0;
  fc.assert(
    fc.property(tiers, (tier) => {
      const evaluation = evaluate(tier, DEFAULT_THRESHOLDS);
      const { action, from, to, isIdle, because } = evaluation;
      assert(because.code in PRESSURE_REASONS);
      if (action === "None") return assertEquals(to, from);
      assert(tier.validSamples >= tier.neededSamples);
      assertEquals(tier.mode, "active");
      assert([evaluation.cpu, evaluation.lag, evaluation.inflight, evaluation.latency].every(isKnown));
      if (action === "ScaleOut") {
        outs += 1;
        assertEquals(evaluation.class, "WebTierSaturated");
        assert(to === from + 1 && to <= tier.maxInstances);
      } else {
        ins += 1;
        assert(isIdle && evaluation.class === "Unknown" && evaluation.score.high < 0.3);
        assert(to === from - 1 && to >= tier.minInstances);
      }
    }),
    { numRuns: 20_000 },
  );
  assert(outs > 500 && ins > 100, `${outs} out, ${ins} in: the figures do not try what they should`);
});

Deno.test("evaluate() never turns nothing into an action when a figure goes missing", () => {
  const missing = fc.constantFrom<Partial<Aggregates>>(
    { cpu: undefined },
    { lagP99Ms: undefined },
    { inflight: undefined },
    { latencyP99Ms: undefined },
    { memAvailableMiB: undefined },
    { rssMiB: undefined },
    { hostIdleCpus: NaN },
    { validSamples: 11 },
  );
  fc.assert(
    fc.property(tiers, missing, (tier, less) => {
      if (evaluate(tier, DEFAULT_THRESHOLDS).action !== "None") return;
      assertEquals(evaluate({ ...tier, ...less }, DEFAULT_THRESHOLDS).action, "None");
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("evaluate() never turns nothing into an action when an application cannot be seen", () => {
  const thresholds = { ...DEFAULT_THRESHOLDS, actWhenAppSaturated: false };
  fc.assert(
    fc.property(tiers, fc.constantFrom("cpu", "queueRising"), (tier, figure) => {
      if (evaluate(tier, thresholds).action !== "None") return;
      const apps = Object.fromEntries(
        Object.entries(tier.apps).map(([name, seen]) => [name, { ...seen, [figure]: undefined }]),
      );
      assertEquals(evaluate({ ...tier, apps }, thresholds).action, "None");
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("evaluate() comes out the same from the line that is kept of it", () => {
  fc.assert(
    fc.property(tiers, (tier) => {
      const line = JSON.stringify({ id: "1", input: recordOfAggregates(tier, DEFAULT_THRESHOLDS) });
      const { input, thresholds } = parsePressureRecord(line, "journal", 1);
      assertEquals(
        recordOfEvaluation(evaluate(input, thresholds)),
        recordOfEvaluation(evaluate(tier, DEFAULT_THRESHOLDS)),
      );
    }),
    RUNS,
  );
});

Deno.test("fixedText() rounds half to even on the exact binary value", () => {
  const rows = [[0.595, "0.59"], [0.125, "0.12"], [0.375, "0.38"], [2.5, "2.50"], [0.7549, "0.75"], [
    1,
    "1.00",
  ]] as const;
  for (const [value, text] of rows) assertEquals(fixedText(value, 2), text);
  assertEquals([fixedText(0.15625, 4), fixedText(-0.125, 2), fixedText(2.5, 0), fixedText(3.5, 0)], [
    "0.1562",
    "-0.12",
    "2",
    "4",
  ]);
});

Deno.test("besideText() shows on which side of a threshold a figure lies", () => {
  assertEquals([besideText(0.7549, 0.75), besideText(0.75, 0.75), besideText(0.76, 0.75)], [
    "0.7549",
    "0.75",
    "0.76",
  ]);
});
