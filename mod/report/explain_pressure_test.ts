import { assert, assertEquals } from "@std/assert";
import type { Aggregates } from "../pressure/aggregates.ts";
import { evaluate } from "../pressure/evaluate.ts";
import { DEFAULT_THRESHOLDS } from "../pressure/rules.ts";
import { parsePressureRecord } from "../replay/pressure_record.ts";
import { CALM_TIER, HOT_TIER } from "../testing/tiers.ts";
import { explainEvaluation } from "./explain_pressure.ts";
import { type Explanation, explanationLines, explanationRecord } from "./explanation.ts";

function explained(input: Aggregates): Explanation {
  return explainEvaluation(evaluate(input, DEFAULT_THRESHOLDS), input, DEFAULT_THRESHOLDS, 1_796_032_805_000);
}

for (
  const [name, input, found, margin] of [
    ["a saturated tier", HOT_TIER, "WebTierSaturated", "cpu_lag 0.22 over"],
    ["an idle tier", CALM_TIER, "Unknown (idle)", "0.20 below, projected 0.20"],
    [
      "a component at its threshold",
      {
        ...HOT_TIER,
        cpu: 0.75,
        hottestScore: 0,
      },
      "Unknown (nominal)",
      "score exactly at it the one, 0.45 over the other",
    ],
    [
      "the application that is saturated, not the busiest of all",
      {
        ...HOT_TIER,
        cpu: 0.4,
        apps: { php: { cpu: 0.2, queueRising: true }, python: { cpu: 0.85, queueRising: false } },
      },
      "PhpSaturated",
      "CPU 0.70 below with a queue, cpu_lag 0.35 below",
    ],
    [
      "a figure that is missing",
      {
        ...HOT_TIER,
        lagP99Ms: undefined,
      },
      "Unknown (stale-endpoint)",
      "the score may be 0.50..0.97",
    ],
    [
      "an application that could not be seen",
      {
        ...CALM_TIER,
        apps: { node: { cpu: undefined, queueRising: false } },
      },
      "Unknown (idle)",
      "an application could not be seen",
    ],
    ["a cooldown", { ...HOT_TIER, sinceScaleOutS: 12 }, "WebTierSaturated", "48 s left"],
  ] as const
) {
  Deno.test(`explainEvaluation() tells what ${name} turned on`, () => {
    const explanation = explained(input);
    assertEquals([explanation.found, explanation.margin], [found, margin]);
  });
}

Deno.test("explainEvaluation() has a rule and a margin of one line for every golden evaluation", () => {
  const rows = new URL("../../fixtures/golden/pressure/evaluations.jsonl", import.meta.url);
  for (const [index, line] of Deno.readTextFileSync(rows).trimEnd().split("\n").entries()) {
    const { id, input, thresholds } = parsePressureRecord(line, "evaluations.jsonl", index + 1);
    const explanation = explainEvaluation(evaluate(input, thresholds), input, thresholds, undefined);
    for (
      const text of [
        explanation.found,
        explanation.inputs,
        explanation.rule,
        explanation.margin,
        explanation.result,
      ]
    ) {
      assert(text !== "" && !/undefined|NaN|\n/.test(text), `${id}: ${text}`);
    }
  }
});

Deno.test("explanationLines() begins with when and what, and has the same five lines for all", () => {
  const explanation = explained(HOT_TIER);
  assertEquals(explanationLines(explanation), [
    "2026-11-30T10:00:05Z  pressure  WebTierSaturated",
    "  inputs   score 0.97: cpu 0.97, lag 0.80, cpu_lag 0.97, inflight 0.08, latency 0.00; 2 instances, 15 samples",
    "  rule     cpu_lag above 0.75 and no component larger by more than 0.1",
    "  margin   cpu_lag 0.22 over",
    "  result   ScaleOut 2 to 3: cpu_lag 0.97 > 0.75 (web-tier-saturated)",
  ]);
  assertEquals(explanationLines({ ...explanation, wallMs: undefined })[0], "pressure  WebTierSaturated");
  assertEquals(explanationRecord({ ...explanation, wallMs: undefined })["ts"], null);
});
