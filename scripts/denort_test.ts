import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { cutRuntime, parseElfHeader, RuntimeError, sha256Hex, verifyRuntime } from "./denort.ts";

/** A program of 300 bytes: a runtime of 264, of which the last 64 are one section header, then 36 more. */
function compiledProgram(): Uint8Array<ArrayBuffer> {
  const program = new Uint8Array(300).fill(0xaa, 264);
  program.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  const view = new DataView(program.buffer);
  view.setUint16(18, 183, true);
  view.setBigUint64(40, 200n, true);
  view.setUint16(58, 64, true);
  view.setUint16(60, 1, true);
  return program;
}

const AARCH64 = { arch: "aarch64", elfMachine: 183 } as const;

Deno.test("parseElfHeader() reads the machine and where the section headers end", () => {
  assertEquals(parseElfHeader(compiledProgram(), "x"), { machine: 183, endOfSectionHeaders: 264 });
});

Deno.test("parseElfHeader() reads from the middle of a buffer", () => {
  const shifted = new Uint8Array(310);
  shifted.set(compiledProgram(), 10);
  assertEquals(parseElfHeader(shifted.subarray(10), "x").endOfSectionHeaders, 264);
});

Deno.test("cutRuntime() leaves out what was appended", () => {
  const runtime = cutRuntime(compiledProgram(), AARCH64, "x");
  assertEquals(runtime.length, 264);
  assertEquals(runtime.includes(0xaa), false);
});

Deno.test("cutRuntime() gives back a runtime to which nothing was appended", () => {
  assertEquals(cutRuntime(compiledProgram().slice(0, 264), AARCH64, "x").length, 264);
});

const UNUSABLE: readonly (readonly [string, Uint8Array<ArrayBuffer>, string])[] = [
  [
    "a shell script",
    new TextEncoder().encode("#!/bin/sh\n".repeat(20)),
    "not a 64-bit little-endian ELF file",
  ],
  [
    "a 32-bit file",
    compiledProgram().with(4, 1) as Uint8Array<ArrayBuffer>,
    "not a 64-bit little-endian ELF file",
  ],
  ["an empty file", new Uint8Array(), "not a 64-bit little-endian ELF file"],
  [
    "a file for another machine",
    compiledProgram().with(18, 62),
    "made for ELF machine 62, expected 183 for aarch64",
  ],
  [
    "a download that was cut short",
    compiledProgram().slice(0, 263),
    "263 bytes, expected at least 264: cut short",
  ],
];
for (const [name, bytes, message] of UNUSABLE) {
  Deno.test(`cutRuntime() refuses ${name}`, () => {
    assertThrows(
      () => cutRuntime(bytes, AARCH64, "the file"),
      RuntimeError,
      `Cannot use "the file": ${message}`,
    );
  });
}

Deno.test("verifyRuntime() takes the pinned runtime alone", async () => {
  const runtime = cutRuntime(compiledProgram(), AARCH64, "x");
  const pinned = { arch: "aarch64", runtimeSha256: await sha256Hex(runtime) } as const;
  await verifyRuntime(runtime, pinned, "x");
  const error = await assertRejects(
    () => verifyRuntime(runtime.with(263, 1), pinned, "a mirror"),
    RuntimeError,
  );
  assertEquals(
    error.message.startsWith(`Cannot use the runtime of "a mirror" for aarch64: SHA-256 is `),
    true,
  );
});

Deno.test("sha256Hex() is what sha256sum prints", async () => {
  assertEquals(
    await sha256Hex(new TextEncoder().encode("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
