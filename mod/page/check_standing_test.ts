import { assertEquals } from "@std/assert";
import { bad, type CheckResult, fine, unknown } from "../probe/check.ts";
import type { CheckReport } from "../probe/verdict.ts";
import { aVerdict } from "../testing/probe.ts";
import { type CheckTimes, followChecks, standingOf } from "./check_standing.ts";

function report(
  settled: CheckReport["settled"],
  result: CheckResult,
  action: CheckReport["action"] = "drain",
): CheckReport {
  return { id: "swap", action, settled, isUnproven: false, result };
}

Deno.test("standingOf() says in one word what a check has come to", () => {
  const rows: readonly (readonly [CheckReport, string])[] = [
    [report("drain", bad("drain", "ill")), "failed"],
    [report("drain", fine("well again")), "failed"],
    [report("drain", unknown("not seen")), "failed"],
    [report("drain", bad("drain", "ill"), "warn"), "warning"],
    [report("warn", bad("warn", "pale")), "warning"],
    [report("ok", bad("drain", "ill")), "failing"],
    [report("untried", bad("drain", "ill")), "failing"],
    [report("ok", unknown("not seen")), "unknown"],
    [report("untried", fine("well")), "unproven"],
    [report("ok", fine("well")), "ok"],
  ];
  for (const [one, standing] of rows) assertEquals(standingOf(one), standing, JSON.stringify(one));
});

Deno.test("followChecks() says since when, and forgets what is looked at no more", () => {
  let times: CheckTimes = new Map();
  const look = (monotonicMs: number, ...checks: readonly CheckReport[]): void => {
    times = followChecks(times, aVerdict({ monotonicMs, checks }));
  };
  look(1_000, report("ok", fine("well")));
  look(2_000, report("ok", fine("still well")));
  assertEquals([...times], [["swap", { standing: "ok", sinceMs: 1_000 }]]);
  look(3_000, report("ok", bad("drain", "ill")));
  look(4_000, report("drain", bad("drain", "ill")));
  look(5_000, report("drain", bad("drain", "worse")));
  assertEquals([...times], [["swap", { standing: "failed", sinceMs: 4_000 }]]);
  look(6_000);
  assertEquals([...times], []);
});
