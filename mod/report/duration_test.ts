import { assertEquals } from "@std/assert";
import { durationText } from "./duration.ts";

Deno.test("durationText() gives the two largest units", () => {
  const rows = [[0, "0 s"], [400, "0 s"], [252_000, "4 m 12 s"], [3_600_000, "1 h"], [
    3_605_000,
    "1 h",
  ]] as const;
  for (const [ms, text] of rows) assertEquals(durationText(ms), text);
  assertEquals(durationText(93_784_000), "1 d 2 h");
});
