import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parsePressure } from "./pressure.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const NONE = { avg10Percent: 0, avg60Percent: 0, avg300Percent: 0 };
const SOME = "some avg10=0.10 avg60=0.21 avg300=0.25 total=7\n";

Deno.test("parsePressure() reads both lines of c25-psi-irq-full-only, cpu", () => {
  assertEquals(parsePressure(fixture("cases/c25-psi-irq-full-only/proc/pressure/cpu"), "cpu"), {
    some: { avg10Percent: 0.1, avg60Percent: 0.21, avg300Percent: 0.25, totalMicros: 73_759_571_709 },
    full: { ...NONE, totalMicros: 0 },
  });
});

Deno.test("parsePressure() reads the only line of c25-psi-irq-full-only, irq", () => {
  assertEquals(parsePressure(fixture("cases/c25-psi-irq-full-only/proc/pressure/irq"), "irq"), {
    some: undefined,
    full: { ...NONE, totalMicros: 100_648_410 },
  });
});

Deno.test("parsePressure() reads a kernel's file that has only the some line", () => {
  assertEquals(parsePressure(SOME, "cpu").full, undefined);
  assertEquals(parsePressure(SOME.trim(), "cpu").some?.totalMicros, 7);
});

Deno.test("parsePressure() skips lines and fields that it does not know", () => {
  const text = `most avg10=x\n${SOME.trim()} extra=1\n`;
  assertEquals(parsePressure(text, "cpu"), parsePressure(SOME, "cpu"));
});

Deno.test("parsePressure() reads the whole range of a share", () => {
  const text = "full avg10=100.00 avg60=99.99 avg300=0.01 total=0\n";
  assertEquals(parsePressure(text, "io").full, {
    avg10Percent: 100,
    avg60Percent: 99.99,
    avg300Percent: 0.01,
    totalMicros: 0,
  });
});

for (const file of ["cpu", "io", "memory"]) {
  Deno.test(`parsePressure() refuses the empty ${file} file of c23-psi-read-eopnotsupp`, () => {
    const text = fixture(`cases/c23-psi-read-eopnotsupp/proc/pressure/${file}`);
    assertThrows(() => parsePressure(text, `/proc/pressure/${file}`), ParseError, "is empty");
  });
}

const REFUSED = [
  { what: "a text without a known line", text: "most avg10=0.00\n", says: 'is "most avg10=0.00", expected' },
  { what: "a total that is no number", text: SOME.replace("=7", "=oops"), says: 'line 1: total is "oops"' },
  { what: "a negative total", text: SOME.replace("=7", "=-7"), says: 'line 1: total is "-7"' },
  { what: "a missing total", text: SOME.replace(" total=7", ""), says: "line 1: total is missing" },
  { what: "a share above 100", text: SOME.replace("0.10", "100.01"), says: 'line 1: avg10 is "100.01"' },
  { what: "a negative share", text: SOME.replace("0.21", "-0.21"), says: 'line 1: avg60 is "-0.21"' },
  { what: "a share that is no number", text: SOME.replace("0.25", "nan"), says: 'line 1: avg300 is "nan"' },
  { what: "a second some line", text: SOME + SOME, says: 'line 2: is a second "some" line' },
  {
    what: "a cut file",
    text: fixture("proc/6.1_quiet_web_host/pressure/io.truncated"),
    says: "line 2: avg300 is missing",
  },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parsePressure() refuses ${what}`, () => {
    assertThrows(() => parsePressure(text, "/proc/pressure/io"), ParseError, says);
  });
}

Deno.test("parsePressure() says what it saw, where, and what it expected", () => {
  const text =
    `some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=oops\n`;
  assertEquals(
    assertThrows(() => parsePressure(text, "/proc/pressure/memory"), ParseError).message,
    'Cannot parse "/proc/pressure/memory" line 2: total is "oops", expected a whole number of microseconds',
  );
});

Deno.test("parsePressure() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(
    fixture("proc/6.1_crawler_storm/pressure/cpu"),
    (text) => assertSoundNumbers(parsePressure(text, "/proc/pressure/cpu")),
  );
});
