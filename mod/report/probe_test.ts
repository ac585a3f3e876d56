import { assertEquals } from "@std/assert";
import { bad, fine, unknown } from "../probe/check.ts";
import { aVerdict } from "../testing/probe.ts";
import { probeLines, stateOfVerdict } from "./probe.ts";

Deno.test("probeLines() says where the host stands, and what is not well", () => {
  const verdict = aVerdict({
    phase: "drained",
    reason: "check-failed",
    text: "swap: 1.20 % of swap free",
    checks: [
      {
        id: "site:www.example.org",
        action: "drain",
        settled: "ok",
        isUnproven: false,
        result: fine("200 in 12 ms"),
      },
      {
        id: "swap",
        action: "drain",
        settled: "drain",
        isUnproven: false,
        result: bad("drain", "1.20 % of swap free"),
      },
      {
        id: "database",
        action: "warn",
        settled: "untried",
        isUnproven: false,
        result: unknown("no socket is known"),
      },
    ],
  });
  assertEquals(probeLines(stateOfVerdict(verdict), 65_000), [
    "DRAINED for 1 m: a check has failed (swap: 1.20 % of swap free)",
    "swap bad: 1.20 % of swap free",
    "database unknown: no socket is known",
  ]);
});

Deno.test("probeLines() says when the last look is long ago, and nothing where nothing is probed", () => {
  assertEquals(probeLines(stateOfVerdict(aVerdict()), 180_000), [
    "in for 2 m 55 s: no check has failed, looked 2 m ago",
  ]);
  assertEquals(probeLines(undefined, 0), []);
});

Deno.test("probeLines() says once what many checks say", () => {
  const verdict = aVerdict({
    checks: (["swap", "database"] as const).map((id) => ({
      id,
      action: "warn",
      settled: "untried",
      isUnproven: false,
      result: unknown("it was not looked at"),
    })),
  });
  assertEquals(probeLines(stateOfVerdict(verdict), 65_000).slice(1), [
    "swap, database unknown: it was not looked at",
  ]);
});
