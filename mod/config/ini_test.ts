import { assertEquals } from "@std/assert";
import { parseIni } from "./ini.ts";

/** Values by `[section] key`, the last one counting. */
function valuesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    parseIni(text, "x.ini").entries.map(({ section, key, value }) => [`[${section}] ${key}`, value]),
  );
}

/** Line and message of each problem. */
function problemsOf(text: string): readonly (readonly [number, string])[] {
  return parseIni(text, "x.ini").problems.map(({ line, message }) => [line, message] as const);
}

Deno.test("parseIni() reads comments, percent signs and blanks as a person does (c59)", () => {
  const text = Deno.readTextFileSync("fixtures/cases/c59-ini-comments-percent-sections/config.ini");
  assertEquals(valuesOf(text), {
    "[web] port": "6680",
    "[web] message": "load at 100% - paused",
    "[limits] max": "610",
    "[limits] crit": "810",
  });
  assertEquals(parseIni(text, "x.ini").problems, [{
    line: 7,
    message: "[limits] crit is set again in line 8, the last one counts",
    key: "[limits] crit",
    value: "700",
    using: "line 8",
  }]);
});

Deno.test("parseIni() gives each section and each key its line", () => {
  const { source, sections, entries, unusable } = parseIni("\n[a]\n\nx=1\n[b]\ny = 2", "x.ini");
  assertEquals({ source, sections, entries, unusable }, {
    source: "x.ini",
    sections: [{ name: "a", line: 2 }, { name: "b", line: 5 }],
    entries: [{ section: "a", key: "x", value: "1", line: 4 }, {
      section: "b",
      key: "y",
      value: "2",
      line: 6,
    }],
    unusable: undefined,
  });
});

Deno.test("parseIni() takes a byte order mark, Windows line ends and indents", () => {
  assertEquals(valuesOf("\uFEFF[a]\r\n  x = 1\r\ny=2\r"), { "[a] x": "1", "[a] y": "2" });
});

Deno.test("parseIni() takes dots and names of object members as plain text", () => {
  assertEquals(parseIni("[probe www.example.org]\na.b = 1\n[__proto__]\nconstructor = 2", "x.ini").entries, [
    { section: "probe www.example.org", key: "a.b", value: "1", line: 2 },
    { section: "__proto__", key: "constructor", value: "2", line: 4 },
  ]);
});

Deno.test("parseIni() ends a value at a comment only after a blank, and not inside quotes", () => {
  const rows: readonly [string, string][] = [
    ["x = a ; note", "a"],
    ["x = a # note", "a"],
    ["x = a\t; note", "a"],
    ["x = a;b#c", "a;b#c"],
    ["x = ; note", ""],
    ["x =", ""],
    ["x = a = b", "a = b"],
    ['x = "a ; b"', "a ; b"],
    ["x = ' a '", " a "],
    ['x = "a" ; note "b"', "a"],
    ["x = \"a'", "\"a'"],
    ["x = it's", "it's"],
    ['x = "', '"'],
    ['x = ""', ""],
    ["x = %(y)s ${z}", "%(y)s ${z}"],
  ];
  for (const [line, expected] of rows) assertEquals(valuesOf(`[a]\n${line}`)["[a] x"], expected, line);
});

Deno.test("parseIni() reports each line that does not count, with its number", () => {
  assertEquals(
    problemsOf("x = 0\n[a] ; fine\n[b] x = 1\nwords\n= 2\n[]\nx = 3\n[c\nx = 4\n[d]# fine\nx = 5"),
    [
      [1, "x stands before any [section]"],
      [3, '[b] is followed by "x = 1", expected nothing or a comment'],
      [4, 'line is "words", expected key = value, [section] or a comment'],
      [5, 'line is "= 2", expected key = value, [section] or a comment'],
      [6, 'section is "[]", expected [name]; the keys below it are ignored too'],
      [8, 'section is "[c", expected [name]; the keys below it are ignored too'],
    ],
  );
});

Deno.test("parseIni() never counts the keys below a broken section for the one above it", () => {
  assertEquals(valuesOf("[a]\nx = 1\n[b\nx = 2\n[c]\nx = 3"), { "[a] x": "1", "[c] x": "3" });
});

Deno.test("parseIni() reports a key set twice also when its section is opened twice", () => {
  assertEquals(problemsOf("[a]\nx = 1\n[b]\nx = 2\n[a]\nx = 3"), [
    [2, "[a] x is set again in line 6, the last one counts"],
  ]);
  assertEquals(problemsOf("[a]\nx = 1\nx = 2\nx = 3").map(([line]) => line), [2, 3]);
});

Deno.test("parseIni() calls a text unusable only when nothing in it can be trusted", () => {
  const rows: readonly [string, boolean][] = [
    ["", false],
    ["\n ; only a comment\n\n", false],
    ["[a]", false],
    ["garbage\n[a]\nx = 1", false],
    ["x = 1", true],
    ["\u007fELF\u0002\u0001", true],
    ["[a]\nx = 1\0", true],
    ["[\0a\0]\0\n\0x\0=\x001\0", true],
  ];
  for (const [text, expected] of rows) {
    assertEquals(parseIni(text, "x.ini").unusable !== undefined, expected, JSON.stringify(text));
  }
});
