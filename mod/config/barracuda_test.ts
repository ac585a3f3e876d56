import { assertEquals } from "@std/assert";
import { parseBarracuda } from "./barracuda.ts";

/** The last value of each name, or its flaw after a `!`. */
function valuesOf(text: string): Record<string, string> {
  const { entries } = parseBarracuda(text, "x.cnf");
  return Object.fromEntries(
    entries.map(({ key, value, flaw }) => [key, flaw === undefined ? value : `!${flaw}`]),
  );
}

Deno.test("parseBarracuda() takes Windows line ends (c52)", () => {
  assertEquals(valuesOf(Deno.readTextFileSync("fixtures/cases/c52-cnf-crlf/config.cnf")), {
    _CPU_MAX_RATIO: "6.1",
    _RESUME_FRACTION: "0.8",
    _INCIDENT_REPORT: "MINI",
    _B_NICE: "10",
  });
});

Deno.test("parseBarracuda() takes a byte order mark, export and both kinds of quotes (c53)", () => {
  assertEquals(valuesOf(Deno.readTextFileSync("fixtures/cases/c53-cnf-bom-export-quotes/config.cnf")), {
    _CPU_MAX_RATIO: "5.5",
    _CPU_CRIT_RATIO: "7.5",
    _INCIDENT_REPORT: "MINI",
    _B_NICE: "12",
  });
});

Deno.test("parseBarracuda() reads a whole file of BOA with its comments", () => {
  const file = parseBarracuda(Deno.readTextFileSync("fixtures/config/barracuda.cnf"), "x.cnf");
  assertEquals(file.problems, []);
  assertEquals(file.entries.length, 18);
  assertEquals(file.entries.find(({ key }) => key === "_CPU_MAX_RATIO"), {
    key: "_CPU_MAX_RATIO",
    value: "6.5",
    flaw: undefined,
    line: 11,
  });
  assertEquals(file.entries.find(({ key }) => key === "_INCIDENT_REPORT"), {
    key: "_INCIDENT_REPORT",
    value: "MINI",
    flaw: undefined,
    line: 22,
  });
});

/** Texts that set A, and what to. */
const WORDS: readonly (readonly [string, string])[] = [
  ["A=1 # note", "1"],
  ["A=1#2", "1#2"],
  ["A=", ""],
  ["A= # note", ""],
  ['A=""', ""],
  ['A="a b" # c', "a b"],
  ["A='a \"b\" $c'", 'a "b" $c'],
  ['A="a \\"b\\" \\$c"', 'a "b" $c'],
  ['A="a\\\\\\b"', "a\\\\b"],
  ['A=5"."5', "5.5"],
  ["A=a\\ b", "a b"],
  ["A=1\\\n2", "12"],
  ['A="1\\\n2"', "12"],
  ['A="a\nb"', "a\nb"],
  ["A=1;", "1"],
  ["  A=1", "1"],
  ["export \t A=1", "1"],
  ["export A=1 B=2", "1"],
  ["A=1; B=2", "1"],
  ["B=2 A=1", "1"],
  ["A=1\nA=2", "2"],
  ["if true; then\n  A=1\nfi", "1"],
  ["#A=1\nA=2", "2"],
  ["A=1 ;# note", "1"],
  ["A=-5", "-5"],
  ["A=6,1", "6,1"],
  ["A=it\\'s", "it's"],
];

Deno.test("parseBarracuda() takes words apart as bash does", () => {
  for (const [text, expected] of WORDS) {
    assertEquals(valuesOf(text)["A"], expected, text);
    const args = ["--norc", "-c", 'eval "$1"; printf %s "$A"', "bash", text];
    const { stdout } = new Deno.Command("/bin/bash", { args, clearEnv: true }).outputSync();
    assertEquals(new TextDecoder().decode(stdout), expected, `bash: ${text}`);
  }
});

Deno.test("parseBarracuda() never runs anything and says why a value cannot be used", () => {
  const rows: readonly [string, string][] = [
    ["A=$(nproc)", "!holds a shell expansion, which is never run here"],
    ["A=`nproc`", "!holds a shell expansion, which is never run here"],
    ['A="${B:-6}"', "!holds a shell expansion, which is never run here"],
    ["A=1 nproc", '!is followed by "nproc", so that bash does not keep it'],
    ["A=(1 2)", '!is followed by "(1 2)", so that bash does not keep it'],
    ["A = 1", "!has a blank before the =, so that bash does not set it"],
    ["A+=1", "!is appended to with +=, expected a plain ="],
    ["A='1", "!has a quote that is never closed"],
    ['A="1\nB=2', "!has a quote that is never closed"],
  ];
  for (const [text, expected] of rows) assertEquals(valuesOf(text)["A"], expected, text);
});

Deno.test("parseBarracuda() reads on after a quote that is never closed, and reports it", () => {
  const { entries, problems } = parseBarracuda("A=don't\nB=2\nC='3'\n", "x.cnf");
  assertEquals(entries.slice(1), [
    { key: "B", value: "2", flaw: undefined, line: 2 },
    { key: "C", value: "3", flaw: undefined, line: 3 },
  ]);
  assertEquals(problems, [{
    line: 1,
    key: "A",
    message: "A opens a quote that is never closed, so bash cannot read the file",
  }]);
});

Deno.test("parseBarracuda() reports settings that a quote hides, as it hides them from bash", () => {
  const { entries, problems } = parseBarracuda("\nA=don't\nB=2\nC=won't\nD=4", "x.cnf");
  assertEquals(entries.map(({ key, line }) => [key, line]), [["A", 2], ["D", 5]]);
  assertEquals(problems, [{
    line: 2,
    key: "A",
    message: "A opens a quote that hides all settings up to line 4",
  }]);
});

Deno.test("parseBarracuda() keeps the line of a setting after values of several lines", () => {
  const { entries } = parseBarracuda('A="1\n2\n3"\nB=1\\\n2\nC=3', "x.cnf");
  assertEquals(entries.map(({ key, line }) => [key, line]), [["A", 1], ["B", 4], ["C", 6]]);
});

Deno.test("parseBarracuda() calls a text unusable only when nothing in it can be trusted", () => {
  const rows: readonly [string, boolean][] = [
    ["", false],
    ["# only a comment\n\n", false],
    ["A=1", false],
    ["source /root/x\nA=1", false],
    ["<html>\n<body>", true],
    ["A=1\0", true],
  ];
  for (const [text, expected] of rows) {
    assertEquals(parseBarracuda(text, "x.cnf").unusable !== undefined, expected, JSON.stringify(text));
  }
});
