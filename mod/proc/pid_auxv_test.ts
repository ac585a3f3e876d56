import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { parsePageBytes } from "./pid_auxv.ts";

/** Pairs as the kernel writes them. */
function auxv(...pairs: readonly (readonly [bigint, bigint])[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(pairs.length * 16));
  for (const [index, [kind, value]] of pairs.entries()) {
    bytes.setBigUint64(index * 16, kind, true);
    bytes.setBigUint64(index * 16 + 8, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

Deno.test("parsePageBytes() finds the size among the others", () => {
  const before = [[33n, 0x7ffc_7a5f_e000n], [16n, 6n]] as const;
  assertEquals(parsePageBytes(auxv(...before, [6n, 4_096n], [17n, 100n], [0n, 0n])), 4_096);
  assertEquals(parsePageBytes(auxv(...before, [6n, 65_536n])), 65_536);
});

Deno.test("parsePageBytes() gives nothing for what cannot be a size", () => {
  assertEquals(parsePageBytes(auxv([6n, 0n])), undefined);
  assertEquals(parsePageBytes(auxv([6n, 4_097n])), undefined);
  assertEquals(parsePageBytes(auxv([6n, 1n << 60n])), undefined);
  assertEquals(parsePageBytes(auxv([5n, 4_096n])), undefined);
  assertEquals(parsePageBytes(auxv([6n, 4_096n]).subarray(0, 15)), undefined);
});

Deno.test("parsePageBytes() never throws, and is a power of two", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
    const size = parsePageBytes(bytes);
    assertEquals(size === undefined || Number.isInteger(Math.log2(size)), true);
  }));
});
