import { assertEquals } from "@std/assert";
import { printable } from "./printable.ts";

Deno.test("printable() takes out what moves a cursor or turns text around, and keeps letters", () => {
  assertEquals(printable("a\x1b[2J\n\u202eb\x9bc\u2028é漢"), "a\ufffd[2J\ufffd\ufffdb\ufffdc\ufffdé漢");
});

Deno.test("printable() cuts what is too long", () => {
  assertEquals(printable("x".repeat(1000)), `${"x".repeat(200)}…`);
});
