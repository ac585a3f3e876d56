import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseTcpMem } from "./sys_tcp_mem.ts";

const GOOD = "287898\t383867\t575796\n";

Deno.test("parseTcpMem() reads the three levels in their order", () => {
  assertEquals(parseTcpMem(GOOD), { lowPages: 287_898, pressurePages: 383_867, highPages: 575_796 });
});

for (
  const text of ["", "287898", "287898\t383867\t", "1\t2\t0\n", "1\t2\t-3\n", "1\t2\tx\n", "1\t2\t3\t4\n"]
) {
  Deno.test(`parseTcpMem() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseTcpMem(text), ParseError, "expected three numbers of pages, the last above 0");
  });
}

Deno.test("parseTcpMem() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(GOOD, (text) => assertSoundNumbers(parseTcpMem(text)));
});

Deno.test("parseTcpMem() reads this kernel's", () => {
  const { pressurePages, highPages } = parseTcpMem(Deno.readTextFileSync("/proc/sys/net/ipv4/tcp_mem"));
  assert(pressurePages <= highPages);
});
