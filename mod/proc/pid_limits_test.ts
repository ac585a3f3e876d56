import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parsePidLimits } from "./pid_limits.ts";

function limits(row: string): string {
  return `Limit                     Soft Limit           Hard Limit           Units     \n\
Max processes             96365                96365                processes \n\
${row}\n\
Max locked memory         8388608              8388608              bytes     \n`;
}

const GOOD = limits("Max open files            1024                 524288               files     ");

const READ = [
  { what: "the soft limit, not the hard one", text: GOOD, soft: 1024 },
  {
    what: "no limit",
    text: limits("Max open files            unlimited            unlimited            files     "),
    soft: "unlimited" as const,
  },
  {
    what: "a limit that nothing reaches",
    text: limits("Max open files            18446744073709551614 18446744073709551614 files     "),
    soft: "unlimited" as const,
  },
  { what: "a limit of 0", text: limits("Max open files            0 0 files"), soft: 0 },
];

for (const { what, text, soft } of READ) {
  Deno.test(`parsePidLimits() reads ${what}`, () => {
    assertEquals(parsePidLimits(text), { openFilesSoftCount: soft });
  });
}

const REFUSED = [
  { what: "an empty text", text: "", says: 'has no row "Max open files"' },
  {
    what: "a cut file",
    text: GOOD.slice(0, GOOD.indexOf("524288")),
    says: 'line 3: Max open files is "1024"',
  },
  {
    what: "a word for a number",
    text: limits("Max open files            many                 524288               files"),
    says: 'line 3: Max open files is "many',
  },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parsePidLimits() refuses ${what}`, () => {
    assertThrows(() => parsePidLimits(text), ParseError, says);
  });
}

Deno.test("parsePidLimits() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(GOOD, (text) => assertSoundNumbers(parsePidLimits(text)));
});

Deno.test("parsePidLimits() reads this process's", () => {
  const { openFilesSoftCount } = parsePidLimits(Deno.readTextFileSync("/proc/self/limits"));
  assert(openFilesSoftCount === "unlimited" || openFilesSoftCount > 0);
});
