import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { type Exposition, EXPOSITION_LIMIT, EXPOSITION_LINES_LIMIT, parseExposition } from "./exposition.ts";
import type { ExpositionFormat } from "./format.ts";

const SOURCE = "127.0.0.1:9100/metrics";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

/** Each series as its name with sorted labels, and its value. */
function valuesOf({ series }: Exposition): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [name, list] of series) {
    for (const { labels, value } of list) {
      const pairs = [...labels].map(([key, text]) => `${key}=${JSON.stringify(text)}`).sort();
      values[pairs.length === 0 ? name : `${name}{${pairs.join()}}`] = value;
    }
  }
  return values;
}

const C61 = fixture("cases/c61-prom-duplicate-type/metrics.txt");
const C62 = fixture("cases/c62-prom-special-values-and-timestamps/metrics.txt");
const C64 = fixture("cases/c64-prom-exemplars-and-eof/metrics.txt");
const C65 = ["a", "b", "c"].map((variant) => fixture(`cases/c65-prom-broken-lines/${variant}/metrics.txt`));

const READ: readonly { what: string; text: string; format?: ExpositionFormat; values: object }[] = [
  {
    what: "c62: NaN, infinities, exponents and times",
    text: C62,
    values: { a: NaN, b: Infinity, c: -Infinity, d: 1.2e9, e: 100, f: 1, 'g_bucket{le="+Inf"}': 7 },
  },
  {
    what: "c64: exemplars are no part of the figures",
    text: C64,
    format: "openmetrics",
    values: {
      'req_seconds_bucket{le="0.01"}': 1,
      'req_seconds_bucket{le="-0.0005"}': 6,
      'build_info{v="1"}': 1,
    },
  },
  { what: "c65/a: a last line without an end", text: C65[0] ?? "", values: { x: 8192 } },
  { what: "c65/b: Windows line ends", text: C65[1] ?? "", values: { x: 8192 } },
  { what: "an empty page", text: "", values: {} },
  {
    what: "escapes, and what ends a label elsewhere within quotes",
    text: 'a{p="C:\\\\d\\"q\\nz,} # {",b="=\\\\n"} 1\n',
    values: { 'a{b="=\\\\n",p="C:\\\\d\\"q\\nz,} # {"}': 1 },
  },
  {
    what: "blanks and tabs wherever they may be",
    text: '\n \t\n\r\n\ta  {\tb = "1" , c\t= "2", }\t+5 \t-3 \n# any comment\n#\n#TYPE b gauge\n  b\t.5\n',
    values: { 'a{b="1",c="2"}': 5, b: 0.5 },
  },
  {
    what: "words for numbers in any case",
    text: "a nan\nb -inf\nc INF\n",
    values: { a: NaN, b: -Infinity, c: Infinity },
  },
  { what: "a label without value as none", text: 'a{b="",c="x"} 1\n', values: { 'a{c="x"}': 1 } },
  { what: "no labels between braces", text: "a{} 1\nb{ } 2\n", values: { a: 1, b: 2 } },
  { what: "EOF of another format as a comment", text: "a 1\n# EOF\nb 2\n", values: { a: 1, b: 2 } },
  {
    what: "an end without its newline, and times in seconds",
    text: "a_total 1 1669.5\na_created 1.5e9\n# EOF",
    format: "openmetrics",
    values: { a_total: 1, a_created: 1.5e9 },
  },
];

for (const { what, text, format = "text", values } of READ) {
  Deno.test(`parseExposition() reads ${what}`, () => {
    assertEquals(valuesOf(parseExposition(text, format, SOURCE)), values);
  });
}

const REFUSED: readonly { what: string; text: string; format?: ExpositionFormat; says: string }[] = [
  { what: "c61: a kind told twice", text: C61, says: 'line 3: tells the kind of "light_total" twice' },
  {
    what: "c65/c: a line without value",
    text: C65[2] ?? "",
    says: 'line 2: is "moonset  ", expected a name',
  },
  { what: "a value with a unit", text: "a 1\nrsync_time 0.2s)\n", says: 'line 2: is "rsync_time 0.2s)"' },
  { what: "a hexadecimal number", text: "a 0x10\n", says: "line 1" },
  { what: "a number with underscores", text: "a 1_000\n", says: "line 1" },
  { what: "a number that is too large", text: "a 1e999\n", says: 'line 1: value is "1e999"' },
  { what: "a name that begins with a digit", text: "1a 1\n", says: "line 1" },
  { what: "digits that are of the name, as its value", text: "abc1\n", says: "line 1" },
  { what: "a time that is no whole number", text: "a 1 2.5\n", says: "line 1" },
  { what: "a fourth field", text: "a 1 2 3\n", says: "line 1" },
  { what: "labels without end", text: 'ok 1\na{x="1" 2\n', says: "line 2" },
  { what: "a label without quotes", text: "a{x=1} 2\n", says: "line 1" },
  { what: "an unknown escape", text: 'a{x="\\t"} 2\n', says: "line 1" },
  { what: "labels without comma", text: 'a{x="1"y="2"} 2\n', says: "line 1" },
  { what: "a lone comma", text: "a{,} 2\n", says: "line 1" },
  { what: "a label twice", text: 'a{x="1",x="2"} 2\n', says: "line 1: is" },
  { what: "a label twice, once empty", text: 'a{x="",x="2"} 2\n', says: "expected each label once" },
  { what: "a series twice", text: "a 1\nb 1\na 1\n", says: 'line 3: is "a 1", expected each series once' },
  {
    what: "a series twice with labels in another order",
    text: 'a{x="1",y="2"} 1\na{y="2",x="1"} 1\n',
    says: "line 2: is",
  },
  { what: "a series twice, once with an empty label", text: 'a 1\na{x=""} 1\n', says: "line 2" },
  {
    what: "a kind after its series",
    text: "a 1\n# TYPE a gauge\n",
    says: 'line 2: tells the kind of "a" after',
  },
  {
    what: "a kind after the buckets",
    text: 'a_bucket{le="1"} 1\n# TYPE a histogram\n',
    says: "line 2: tells the kind",
  },
  { what: "an unknown kind", text: "# TYPE a meter\n", says: 'line 1: kind of "a" is "meter"' },
  { what: "a kind without name", text: "# TYPE gauge\n", says: 'line 1: is "# TYPE gauge"' },
  { what: "an exemplar in the older format", text: 'a 1 # {x="y"} 1\n', says: "line 1" },
  { what: "an HTML page", text: "<html>\n", says: "line 1" },
  { what: "too many characters", text: "#".repeat(EXPOSITION_LIMIT + 1), says: "expected at most 4194304" },
  {
    what: "too many lines",
    text: "\n".repeat(EXPOSITION_LINES_LIMIT + 1),
    says: "line 50001: is one too many",
  },
  {
    what: "an OpenMetrics page without end",
    text: "a 1\n",
    format: "openmetrics",
    says: "line 1: is cut short",
  },
  { what: "an empty OpenMetrics page", text: "", format: "openmetrics", says: "is cut short" },
  { what: "lines after the end", text: "# EOF\na 1\n", format: "openmetrics", says: 'line 1: is "# EOF"' },
  { what: "a comment of no kind", text: "# note\n# EOF\n", format: "openmetrics", says: "line 1" },
  { what: "an empty line", text: "a 1\n\n# EOF\n", format: "openmetrics", says: "line 2" },
  { what: "a broken exemplar", text: "a_total 1 # {x=y} 1\n# EOF\n", format: "openmetrics", says: "line 1" },
  {
    what: "a kind after its total",
    text: "a_total 1\n# TYPE a counter\n# EOF\n",
    format: "openmetrics",
    says: "line 2: tells the kind",
  },
];

for (const { what, text, format = "text", says } of REFUSED) {
  Deno.test(`parseExposition() refuses ${what}`, () => {
    const error = assertThrows(() => parseExposition(text, format, SOURCE), ParseError, says);
    assert(error.message.startsWith(`Cannot parse "${SOURCE}"`), error.message);
  });
}

Deno.test("parseExposition() tells the line where it broke to programs", () => {
  const error = assertThrows(() => parseExposition("a 1\n\nb\n", "text", SOURCE), ParseError);
  assertEquals(error.line, 3);
});

Deno.test("parseExposition() keeps what is wanted alone, and is voided by any line", () => {
  const page = '# TYPE a gauge\na 1\na{x="1"} 2\nab 3\nb{x="1"} 4\na{x="2"} 5\n';
  const { series, kinds } = parseExposition(page, "text", SOURCE, new Set(["a"]));
  assertEquals([...series.keys()], ["a"]);
  assertEquals(series.get("a")?.map(({ value, line }) => [value, line]), [[1, 2], [2, 3], [5, 6]]);
  assertEquals([...kinds], [["a", "gauge"]]);
  assertThrows(() => parseExposition(`${page}b{ 4\n`, "text", SOURCE, new Set(["a"])), ParseError, "line 7");
});

Deno.test("parseExposition() reads the largest page that there may be", () => {
  const label = "x".repeat(EXPOSITION_LIMIT - 'a{b=""} 1\n'.length);
  const page = `a{b="${label}"} 1\n`;
  assertEquals(parseExposition(page, "text", SOURCE).series.get("a")?.[0]?.labels.get("b"), label);
  assertThrows(() => parseExposition(page.slice(0, -4), "text", SOURCE), ParseError);
  const lines = Array.from({ length: EXPOSITION_LINES_LIMIT }, (_, index) => `a{b="${index}"} 1`);
  assertEquals(
    parseExposition(lines.join("\n"), "text", SOURCE).series.get("a")?.length,
    EXPOSITION_LINES_LIMIT,
  );
});

const LONG = 1_000_000;

// With a pattern that tries every way to split a line, each of these would take hours.
for (
  const { what, line } of [
    { what: "digits", line: `a ${"1".repeat(LONG)}x` },
    { what: "digits behind a point", line: `a 1.${"1".repeat(LONG)}x` },
    { what: "digits of an exponent", line: `a 1e${"1".repeat(LONG)}x` },
    { what: "digits of a time", line: `a 1 ${"1".repeat(LONG)}x` },
    { what: "letters", line: "a".repeat(LONG) },
    { what: "blanks before the value", line: `a${" ".repeat(LONG)}x` },
    { what: "blanks behind the value", line: `a 1${" ".repeat(LONG)}x` },
    { what: "blanks between braces", line: `a{${" ".repeat(LONG)}x` },
    { what: "blanks behind a label", line: `a{b="1"${" ".repeat(LONG)}x` },
    { what: "blanks behind a comma", line: `a{b="1",${" ".repeat(LONG)}x` },
    { what: "escapes", line: `a{b="${"\\\\".repeat(LONG)}` },
    { what: "labels", line: `a{${'b="1",'.repeat(LONG / 4)}x` },
    { what: "blanks in a kind", line: `#${" ".repeat(LONG)}TYPE${" ".repeat(LONG)}a${" ".repeat(LONG)}` },
  ]
) {
  Deno.test(`parseExposition() refuses a million ${what} at once`, () => {
    assertThrows(() => parseExposition(line, "text", SOURCE), ParseError, "line 1");
  });
}

interface Given {
  readonly name: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
}

const GIVEN: fc.Arbitrary<Given[]> = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,6}$/),
    labels: fc.uniqueArray(
      fc.tuple(
        fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,3}$/),
        fc.string({ unit: "binary", minLength: 1 }),
      ),
      { selector: ([label]) => label, maxLength: 4 },
    ),
    value: fc.double(),
  }),
  { selector: ({ name, labels }) => name + JSON.stringify([...labels].sort()), maxLength: 12 },
);

function render(given: readonly Given[], format: ExpositionFormat): string {
  const escape = (text: string): string =>
    text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  const lines = given.map(({ name, labels, value }) => {
    const inside = labels.map(([label, text]) => `${label}="${escape(text)}"`).join();
    const number = String(value).replace("Infinity", "Inf");
    return `${name}${inside === "" ? "" : `{${inside}}`} ${number}\n`;
  });
  return lines.join("") + (format === "openmetrics" ? "# EOF\n" : "");
}

Deno.test("parseExposition() gives back whatever was rendered", () => {
  fc.assert(fc.property(GIVEN, fc.constantFrom("text", "openmetrics"), (given, format) => {
    const expected = new Map<string, [ReadonlyMap<string, string>, number][]>();
    for (const { name, labels, value } of given) {
      expected.set(name, [...expected.get(name) ?? [], [new Map(labels), value]]);
    }
    const { series } = parseExposition(render(given, format), format, SOURCE);
    const actual = [...series].map(([name, list]) => [name, list.map((one) => [one.labels, one.value])]);
    assertEquals(actual, [...expected]);
  }));
});

Deno.test("parseExposition() refuses an OpenMetrics page that is cut anywhere", () => {
  fc.assert(fc.property(GIVEN, fc.nat(), (given, at) => {
    const page = render(given, "openmetrics").trimEnd();
    assertThrows(() => parseExposition(page.slice(0, at % page.length), "openmetrics", SOURCE), ParseError);
  }));
});

const PAGES: readonly { file: string; format: ExpositionFormat }[] = [
  { file: "prom_client.txt", format: "text" },
  { file: "prom_client_openmetrics.txt", format: "openmetrics" },
  { file: "haproxy.txt", format: "text" },
  { file: "php_fpm_openmetrics.txt", format: "openmetrics" },
];

for (const { file, format } of PAGES) {
  const page = fixture(`metrics/${file}`);
  Deno.test(`parseExposition() reads every series of ${file}`, () => {
    const { series, kinds } = parseExposition(page, format, SOURCE);
    assertEquals(series.size, new Set(page.match(/^[a-z]\w*/gm)).size);
    assertEquals([...series.values()].flat().length, page.match(/^[a-z]/gm)?.length);
    assertEquals(kinds.size, page.match(/^# TYPE/gm)?.length);
  });

  Deno.test(`parseExposition() reads or refuses ${file} however damaged`, () => {
    const shortened = page.length > 6000 ? page.slice(0, page.indexOf("\n", 6000) + 1) : page;
    const whole = format === "openmetrics" && !shortened.endsWith("# EOF\n")
      ? `${shortened}# EOF\n`
      : shortened;
    assertReadsOrRefuses(whole, (text) => {
      parseExposition(text, format, SOURCE);
    });
  });
}

Deno.test("parseExposition() reads or refuses c64 however damaged", () => {
  assertReadsOrRefuses(C64, (text) => {
    parseExposition(text, "openmetrics", SOURCE);
  });
});
