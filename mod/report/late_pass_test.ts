import { assertEquals } from "@std/assert";
import { isAtWork } from "./late_pass.ts";

Deno.test("isAtWork() gives an agent two of its longest waits, and some seconds more", () => {
  const rules = { intervalMs: 5_000, recheckMs: 9_000 };
  assertEquals([isAtWork(27_999, rules), isAtWork(28_000, rules)], [true, false]);
  assertEquals(isAtWork(100_000, { ...rules, intervalMs: 60_000 }), true);
});
