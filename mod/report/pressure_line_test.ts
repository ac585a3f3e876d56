import { assert, assertEquals } from "@std/assert";
import { exactly } from "../pressure/interval.ts";
import { CALM_TIER, evaluationOf, HALF_BUSY } from "../testing/tiers.ts";
import { isConsistent, renderPressureLine } from "./pressure_line.ts";

/** What the line has for a key. */
function valueOf(line: string, key: string): string | undefined {
  return new RegExp(`(?:^| )${key}=("(?:[^"\\\\]|\\\\.)*"|\\S+)`).exec(line)?.[1];
}

Deno.test("renderPressureLine() gives all that the score can be computed from, in its order", () => {
  assertEquals(
    renderPressureLine(evaluationOf()),
    "ts=2026-11-30T10:00:05Z pressure=0.97 cpu=0.97 lag=0.80 inflight=0.08 latency=0.00 cpu_lag=0.97 dominant=cpu_lag " +
      'class=WebTierSaturated action=ScaleOut from=2 to=3 reason="cpu_lag 0.97 > 0.75" code=web-tier-saturated ' +
      "samples=15/12 instances=0/2 hot=0.97 budget_cpu=2/7 budget_ram=4096/512 mode=active",
  );
});

Deno.test("renderPressureLine() shows what is unknown by a question mark, with the bounds of the score", () => {
  const line = renderPressureLine(evaluationOf({ lagP99Ms: undefined }));
  const keys = ["pressure", "pressure_low", "pressure_high", "cpu", "lag", "cpu_lag", "dominant", "sub"];
  assertEquals(keys.map((key) => valueOf(line, key)), [
    "?",
    "0.50",
    "0.97",
    "0.97",
    "?",
    "?",
    "?",
    "stale-endpoint",
  ]);
});

Deno.test("renderPressureLine() shows on which side of each threshold a figure lies", () => {
  const idle = renderPressureLine(evaluationOf({ ...CALM_TIER, cpu: 0.2999 }));
  assertEquals([valueOf(idle, "pressure"), valueOf(idle, "cpu"), valueOf(idle, "sub")], [
    "0.2999",
    "0.2999",
    "idle",
  ]);
  const low = renderPressureLine(evaluationOf({ ...CALM_TIER, cpu: 0.4999, lagP99Ms: 3.999 }));
  assertEquals([valueOf(low, "cpu"), valueOf(low, "lag")], ["0.4999", "0.7998"]);
  const exact = renderPressureLine(evaluationOf({ cpu: 0.75 }));
  assertEquals(valueOf(exact, "pressure"), "0.75");
});

Deno.test("renderPressureLine() names the class besides what kept it from acting, and who is out of order", () => {
  const instances = [{ ...HALF_BUSY, anomalies: ["resets"] }];
  const line = renderPressureLine(evaluationOf({ confirmations: 1 }, { instances }));
  assertEquals(
    ["reason", "code", "why", "anomaly"].map((key) => valueOf(line, key)),
    ['"confirming 1/2"', "confirming", '"cpu_lag 0.97 > 0.75"', "web:resets"],
  );
});

Deno.test("isConsistent() is false for a score that is not what the printed components come to", () => {
  const good = evaluationOf();
  const cases = [
    ["as computed", good, true],
    ["within rounding", { ...good, score: exactly(0.9749) }, true],
    ["printed alike, though not alike", { ...good, cpu: exactly(0.9684), score: exactly(0.9746) }, true],
    ["the line of the decision record", { ...good, lag: exactly(0.62), score: exactly(0.84) }, false],
    ["not known", evaluationOf({ lagP99Ms: undefined }), true],
    [
      "bounds that do not fit",
      { ...evaluationOf({ lagP99Ms: undefined }), score: { low: 0.3, high: 0.97 } },
      false,
    ],
  ] as const;
  for (const [name, evaluation, expected] of cases) {
    assertEquals([name, isConsistent(evaluation)], [name, expected]);
  }
  assert(renderPressureLine({ ...good, score: exactly(0.5) }).includes(" anomaly=score_mismatch "));
});
