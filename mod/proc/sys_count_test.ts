import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseSysCount } from "./sys_count.ts";

const SOURCE = "/proc/sys/net/netfilter/nf_conntrack_max";

Deno.test("parseSysCount() reads one whole number, 0 too", () => {
  assertEquals(["262144\n", "0\n", "7"].map((text) => parseSysCount(text, SOURCE)), [262_144, 0, 7]);
});

for (const text of ["", "\n", "-1\n", "1.5\n", "0x10\n", "1\t2\n", "9".repeat(16)]) {
  Deno.test(`parseSysCount() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseSysCount(text, SOURCE), ParseError, `Cannot parse "${SOURCE}": is "`);
  });
}

Deno.test("parseSysCount() reads or refuses any damaged text", () => {
  assertReadsOrRefuses("262144\n", (text) => assertSoundNumbers(parseSysCount(text, SOURCE)));
});
