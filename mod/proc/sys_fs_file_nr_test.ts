import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseFileNr } from "./sys_fs_file_nr.ts";

const READ = [
  { text: "1952\t0\t399123\n", allocatedCount: 1952, maxCount: 399123 },
  { text: "413\t0\t9223372036854775807\n", allocatedCount: 413, maxCount: "unlimited" as const },
  { text: "413\t0\t9007199254740992\n", allocatedCount: 413, maxCount: "unlimited" as const },
  { text: "413\t0\t9007199254740991\n", allocatedCount: 413, maxCount: 9_007_199_254_740_991 },
];

for (const { text, ...fileNr } of READ) {
  Deno.test(`parseFileNr() reads ${JSON.stringify(text)}`, () => {
    assertEquals(parseFileNr(text), fileNr);
  });
}

for (
  const text of ["", "1952", "1952\t0", "1952\t0\t", "1952\t0\t0\n", "-1\t0\t9\n", "a\t0\t9\n", "1\t0\t9\t9"]
) {
  Deno.test(`parseFileNr() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseFileNr(text), ParseError, "expected three whole numbers, the last above 0");
  });
}

Deno.test("parseFileNr() reads or refuses any damaged text", () => {
  assertReadsOrRefuses("1952\t0\t399123\n", (text) => assertSoundNumbers(parseFileNr(text)));
});

Deno.test("parseFileNr() reads this kernel's", () => {
  assert(parseFileNr(Deno.readTextFileSync("/proc/sys/fs/file-nr")).allocatedCount > 0);
});
