import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseMeminfo } from "./meminfo.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const CASES = [
  {
    of: "c44-no-swap",
    meminfo: {
      totalKib: 16_384_000,
      availableKib: 10_240_000,
      freeKib: 2_048_000,
      swapTotalKib: 0,
      swapFreeKib: 0,
    },
  },
  {
    of: "c46-lxcfs-used-negative",
    meminfo: {
      totalKib: 998_384,
      availableKib: 987_608,
      freeKib: 987_608,
      swapTotalKib: 498_684,
      swapFreeKib: 496_536,
    },
  },
  {
    of: "c47-memory-12-tib",
    meminfo: {
      totalKib: 12_884_901_888,
      availableKib: 9_663_676_416,
      freeKib: 1_073_741_824,
      swapTotalKib: 0,
      swapFreeKib: 0,
    },
  },
];

for (const { of, meminfo } of CASES) {
  Deno.test(`parseMeminfo() reads ${of}`, () => {
    assertEquals(parseMeminfo(fixture(`cases/${of}/proc/meminfo`)), meminfo);
  });
}

Deno.test("parseMeminfo() takes a line that is not there for unknown, never for 0", () => {
  assertEquals(parseMeminfo("MemTotal: 10 kB"), {
    totalKib: 10,
    availableKib: undefined,
    freeKib: undefined,
    swapTotalKib: undefined,
    swapFreeKib: undefined,
  });
});

Deno.test("parseMeminfo() does not take a line for SwapTotal that only looks like it", () => {
  const meminfo = parseMeminfo("MemTotal: 10 kB\nSwapCached: 7 kB\nX SwapTotal: 9 kB\nSwapTotalled: 8 kB\n");
  assertEquals(meminfo.swapTotalKib, undefined);
});

const REFUSED = [
  { what: "an empty text", text: "", says: "MemTotal is missing" },
  { what: "a text without the total", text: "MemFree: 5 kB\n", says: "MemTotal is missing" },
  { what: "a total of 0", text: "MemTotal: 0 kB\n", says: "MemTotal is 0 kB" },
  {
    what: "a value that is no number",
    text: "MemTotal: 9 kB\nMemFree: x kB\n",
    says: 'line 2: MemFree is "x kB"',
  },
  {
    what: "a negative value",
    text: "MemTotal: 9 kB\nSwapFree: -1 kB\n",
    says: 'line 2: SwapFree is "-1 kB"',
  },
  { what: "another unit", text: "MemTotal: 9 MB\n", says: 'line 1: MemTotal is "9 MB"' },
  { what: "text after the unit", text: "MemTotal: 9 kB 7\n", says: 'line 1: MemTotal is "9 kB 7"' },
  { what: "a value too long to be true", text: `MemTotal: ${"9".repeat(16)} kB\n`, says: "line 1: MemTotal" },
  {
    what: "a cut file",
    text: fixture("proc/6.1_quiet_web_host/meminfo.truncated"),
    says: 'line 3: MemAvailable is "261", expected a whole number and "kB"',
  },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseMeminfo() refuses ${what}`, () => {
    assertThrows(() => parseMeminfo(text), ParseError, says);
  });
}

Deno.test("parseMeminfo() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(
    fixture("proc/6.1_quiet_web_host/meminfo"),
    (text) => assertSoundNumbers(parseMeminfo(text)),
  );
});
