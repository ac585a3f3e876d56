import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseVmstat } from "./vmstat.ts";

function fixture(name: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/vmstat/${name}`, import.meta.url));
}

const BUSY = fixture("busy_3.3");

Deno.test("parseVmstat() reads the second row, not the average since boot", () => {
  assertEquals(parseVmstat(BUSY), {
    runnableTasks: 11,
    blockedTasks: 2,
    busyRatio: 0.76,
    iowaitPercent: 21,
  });
});

Deno.test("parseVmstat() counts the guest time of procps 4.0.4 as work and leaves steal out", () => {
  assertEquals(parseVmstat(fixture("busy_4.0.4")), {
    runnableTasks: 11,
    blockedTasks: 2,
    busyRatio: 76 / 90,
    iowaitPercent: 1,
  });
});

Deno.test("parseVmstat() reads a quiet host, whose shares do not sum up to 100", () => {
  assertEquals(parseVmstat(fixture("quiet_4.0.2")), {
    runnableTasks: 1,
    blockedTasks: 0,
    busyRatio: 0,
    iowaitPercent: 0,
  });
});

Deno.test("parseVmstat() finds columns by name, wherever they stand", () => {
  const rows = [" b  r new us wa sy st id", " 0  1   7  4  0  4  0 92", " 2 11   7 61 21 15  0  3"];
  assertEquals(parseVmstat(["procs", ...rows].join("\n")), parseVmstat(BUSY));
});

Deno.test("parseVmstat() does not know how busy a host is whose time was all stolen", () => {
  const stolen = BUSY.replace("61 15  3 21  0", " 0  0  0  0 100");
  assertEquals(parseVmstat(stolen).busyRatio, undefined);
});

const REFUSED = [
  { what: "an empty text", text: "", says: 'is "", expected' },
  { what: "the average since boot alone", text: fixture("busy_3.3.truncated"), says: "two rows" },
  { what: "a row that was cut", text: BUSY.slice(0, -6), says: "line 4: has 15 columns, expected 17" },
  { what: "a missing column", text: BUSY.replace(" wa ", " xx "), says: 'line 2: has no column "wa"' },
  {
    what: "a figure that is no number",
    text: BUSY.replace("\n11 ", "\nxx "),
    says: 'line 4: column "r" is "xx"',
  },
  { what: "a negative figure", text: BUSY.replace("\n11 ", "\n-1 "), says: 'line 4: column "r" is "-1"' },
  { what: "a share above 100", text: BUSY.replace(" 21  0", " 121 0"), says: 'line 4: column "wa" is 121' },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseVmstat() refuses ${what}`, () => {
    assertThrows(() => parseVmstat(text), ParseError, says);
  });
}

Deno.test("parseVmstat() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(BUSY, (text) => assertSoundNumbers(parseVmstat(text)));
});
