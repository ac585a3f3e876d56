import { assertEquals } from "@std/assert";
import { withoutOuterBlanks } from "./blanks.ts";

Deno.test("withoutOuterBlanks() takes blanks and tabs from both ends, and nothing else", () => {
  assertEquals(withoutOuterBlanks(" \t a \t b\u00a0\t "), "a \t b\u00a0");
  assertEquals([withoutOuterBlanks(" \t "), withoutOuterBlanks("")], ["", ""]);
});
