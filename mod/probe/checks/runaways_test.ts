import { assertEquals } from "@std/assert";
import { absent, ok } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { judgeRunaways } from "./runaways.ts";

function ages(count: number, ageMs: number | undefined): readonly (number | undefined)[] {
  return Array(count).fill(ageMs);
}

const CASES = [
  { what: "20 old ones", agesMs: ages(20, 600_001), says: "ok" },
  { what: "21 old ones", agesMs: ages(21, 600_001), says: "warn" },
  { what: "500 young ones", agesMs: ages(500, 600_000), says: "ok" },
  { what: "20 old ones and one of unknown age", agesMs: [...ages(20, 600_001), undefined], says: "unknown" },
  { what: "21 old ones and one of unknown age", agesMs: [...ages(21, 600_001), undefined], says: "warn" },
  { what: "20 of unknown age", agesMs: ages(20, undefined), says: "ok" },
  { what: "none", agesMs: [], says: "ok" },
] as const;

for (const { what, agesMs, says } of CASES) {
  Deno.test(`judgeRunaways() says ${says} of ${what}`, () => {
    assertEquals(saysOf(judgeRunaways(ok(agesMs))), says);
  });
}

Deno.test("judgeRunaways() knows nothing without a process table", () => {
  assertEquals(saysOf(judgeRunaways(absent("there is no ps"))), "unknown");
});
