import { assertEquals } from "@std/assert";
import { nearest } from "./nearest.ts";

const VERBS = ["check", "completions", "record", "replay", "run", "status"];

Deno.test("nearest() finds the word that a mistyped one was meant to be", () => {
  const rows: readonly [string, string | undefined][] = [
    ["chek", "check"],
    ["statsu", "status"],
    ["REPLAY", "replay"],
    ["rn", "run"],
    ["", undefined],
    ["enforce", undefined],
  ];
  for (const [word, expected] of rows) assertEquals(nearest(word, VERBS), expected, word.slice(0, 20));
});

Deno.test("nearest() does not compare words longer than any key", () => {
  assertEquals(nearest("x".repeat(65), ["x".repeat(65)]), undefined);
  assertEquals(nearest("x".repeat(1_000_000), VERBS), undefined);
});

Deno.test("nearest() takes the first of candidates equally near, and none of none", () => {
  assertEquals(nearest("b", ["a", "c"]), "a");
  assertEquals(nearest("a", []), undefined);
});

Deno.test("nearest() compares letters outside the basic plane and broken pairs without failing", () => {
  assertEquals(nearest("max😀", ["max"]), "max");
  assertEquals(nearest("max\ud83d", ["max"]), "max");
});
