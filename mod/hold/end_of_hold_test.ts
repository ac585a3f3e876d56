import { assertEquals } from "@std/assert";
import { endOfHold } from "./end_of_hold.ts";

const MAX = { reason: "max", sinceBootMs: 10_000, expiresBootMs: undefined } as const;
const BY_HAND = { ...MAX, reason: "by-hand", expiresBootMs: 12_000 } as const;
const RULES = { maxHoldMs: 5_000, onMaxHold: "resume" } as const;

const ROWS = [
  ["a pause of the ladder at its deadline", MAX, RULES, 15_000],
  ["one without a deadline never", MAX, { ...RULES, maxHoldMs: 0 }, undefined],
  ["one whose deadline is only told never", MAX, { ...RULES, onMaxHold: "alert" }, undefined],
  ["one by hand when it expires", BY_HAND, RULES, 12_000],
  ["one by hand without an end never", { ...BY_HAND, expiresBootMs: undefined }, RULES, undefined],
] as const;

for (const [name, hold, rules, endMs] of ROWS) {
  Deno.test(`endOfHold() ends ${name}`, () => assertEquals(endOfHold(hold, rules), endMs));
}
