import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseUptime } from "./uptime.ts";

Deno.test("parseUptime() gives whole milliseconds since boot", () => {
  assertEquals(parseUptime("350735.47 234388.90\n"), 350_735_470);
  assertEquals(parseUptime("0.03 0.00\n"), 30);
});

Deno.test("parseUptime() refuses what is no uptime", () => {
  for (const text of ["", "\n", "-1.00 0.00", "350735", "NaN NaN", "1.5 2.5"]) {
    assert(
      assertThrows(() => parseUptime(text), ParseError).message.startsWith('Cannot parse "/proc/uptime": is'),
    );
  }
});

Deno.test("parseUptime() reads or refuses mutated texts", () => {
  assertReadsOrRefuses("350735.47 234388.90\n", (text) => assertSoundNumbers(parseUptime(text)));
});
