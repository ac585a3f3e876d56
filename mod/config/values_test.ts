import { assertEquals } from "@std/assert";
import {
  choiceType,
  durationType,
  FRACTION,
  integerType,
  MAYBE_LOG_PATH,
  MAYBE_MAIL_ADDRESS,
  MAYBE_PATH,
  PERCENT,
  PROCESS_NAMES,
  PROGRAM_NAMES,
  RATIO,
  renderDuration,
  SCRIPTS,
  type ValueType,
  YES_OR_NO,
} from "./values.ts";

/** Asserts what a type reads; `undefined` stands for a refusal. */
function assertReads<T>(type: ValueType<T>, rows: readonly (readonly [string, T | undefined])[]): void {
  for (const [text, expected] of rows) {
    assertEquals(type.maybeRead(text)?.value, expected, `${type.name} ${JSON.stringify(text)}`);
    if (expected !== undefined) assertEquals(type.maybeRead(type.render(expected))?.value, expected, text);
  }
}

/** Texts that are no decimal number, whatever its range. */
const NO_NUMBERS = [
  "",
  " ",
  "5,5",
  "-1",
  "+1",
  "1.",
  ".",
  "1.2.3",
  "1e3",
  "0x10",
  "NaN",
  "Infinity",
  "6.1x",
  "6.1%",
  "6 1",
  "٦",
  "9".repeat(400),
];

Deno.test("RATIO reads plain decimals above 0, kept to four decimals", () => {
  assertReads(RATIO, [
    ["6.1", 6.1],
    ["6", 6],
    [".5", 0.5],
    ["007", 7],
    ["2.10000000000001", 2.1],
    ["0.0001", 0.0001],
    ["1000000", 1_000_000],
    ["0", undefined],
    ["0.00001", undefined],
    ["1000001", undefined],
  ]);
  assertReads(RATIO, NO_NUMBERS.map((text) => [text, undefined] as const));
});

Deno.test("FRACTION keeps out of 0 and 1", () => {
  assertReads(FRACTION, [
    ["0.8", 0.8],
    ["0.9999", 0.9999],
    ["0", undefined],
    ["1", undefined],
    ["1.0", undefined],
    ["0.99999", undefined],
    ["1.5", undefined],
  ]);
  assertReads(FRACTION, NO_NUMBERS.map((text) => [text, undefined] as const));
});

Deno.test("PERCENT is more than 0 and at most 100", () => {
  assertReads(PERCENT, [["10", 10], ["100", 100], ["0.5", 0.5], ["0", undefined], ["100.1", undefined]]);
});

Deno.test("integerType() reads whole numbers of its range with their sign", () => {
  assertReads(integerType(-20, 19), [
    ["-20", -20],
    ["19", 19],
    ["-5", -5],
    ["-0", 0],
    ["010", 10],
    ["20", undefined],
    ["-21", undefined],
    ["1.5", undefined],
    ["+5", undefined],
    ["- 5", undefined],
    ["--5", undefined],
    ["", undefined],
    ["9".repeat(400), undefined],
  ]);
});

Deno.test("durationType() wants a unit, except for a 0 that means something", () => {
  assertReads(durationType(100, 3_600_000, "no limit"), [
    ["100ms", 100],
    ["5s", 5000],
    ["1.5 s", 1500],
    ["30m", 1_800_000],
    ["1h", 3_600_000],
    ["0", 0],
    ["0s", undefined],
    ["5", undefined],
    ["99ms", undefined],
    ["61m", undefined],
    ["-5s", undefined],
    ["5 sec", undefined],
    ["5,5s", undefined],
    ["..s", undefined],
    ["s", undefined],
  ]);
  assertReads(durationType(100, 1000), [["0", undefined]]);
});

Deno.test("renderDuration() takes the largest unit that leaves no rest", () => {
  const rows: readonly [number, string][] = [
    [0, "0"],
    [100, "100ms"],
    [1500, "1500ms"],
    [90_000, "90s"],
    [1_800_000, "30m"],
    [7_200_000, "2h"],
  ];
  for (const [durationMs, expected] of rows) assertEquals(renderDuration(durationMs), expected);
});

Deno.test("choiceType() reads its words in any case, and older words as what they stand for", () => {
  assertReads(choiceType(["OFF", "CRIT"], new Map([["MINI", "CRIT"]])), [
    ["off", "OFF"],
    ["Mini", "CRIT"],
    ["MAXI", undefined],
    ["", undefined],
  ]);
});

Deno.test("lists of names are split at commas and blanks, without patterns", () => {
  assertReads(PROGRAM_NAMES, [
    ["mydumper, duplicity", ["mydumper", "duplicity"]],
    ["mydumper duplicity,", ["mydumper", "duplicity"]],
    ["php,php", ["php"]],
    ["", []],
    ["/usr/bin/mydumper", undefined],
    ["php*", undefined],
    ["php;rm", undefined],
    ["$(php)", undefined],
  ]);
});

Deno.test("PROCESS_NAMES refuses what the kernel would have cut", () => {
  assertReads(PROCESS_NAMES, [
    ["mysql_backup.sh", ["mysql_backup.sh"]],
    ["mysql_backups.sh", undefined],
  ]);
});

Deno.test("SCRIPTS takes names and absolute paths", () => {
  assertReads(SCRIPTS, [
    ["backboa, /opt/local/bin/nightly.sh", ["backboa", "/opt/local/bin/nightly.sh"]],
    ["bin/nightly.sh", undefined],
    ["/opt/*/nightly.sh", undefined],
    ["/opt/../nightly.sh", undefined],
  ]);
});

Deno.test("MAYBE_PATH takes a plain absolute path, and nothing for none", () => {
  assertReads(MAYBE_PATH, [
    ["/run/loadweir/proc", "/run/loadweir/proc"],
    ["/run/loadweir/proc/", "/run/loadweir/proc"],
    ["proc", undefined],
    ["/", undefined],
    ["//proc", undefined],
    ["/run/../proc", undefined],
    ["/run/a b", undefined],
  ]);
  assertEquals(MAYBE_PATH.maybeRead(""), { value: undefined });
  assertEquals(MAYBE_PATH.render(undefined), "");
});

Deno.test("MAYBE_MAIL_ADDRESS takes one address that no mail program takes for an option", () => {
  assertReads(MAYBE_MAIL_ADDRESS, [
    ["ops+web@example.org", "ops+web@example.org"],
    ["root", "root"],
    ["my@email", "my@email"],
    ["", ""],
    ["-oQ/tmp@example.org", undefined],
    ["a@b, c@d", undefined],
    ["a@b c@d", undefined],
    ["a@@b", undefined],
    ["|/bin/sh", undefined],
  ]);
});

Deno.test("MAYBE_LOG_PATH takes a file where the program may write, and nothing for the usual one", () => {
  assertReads(MAYBE_LOG_PATH, [
    ["/var/log/loadweir/incident.log", "/var/log/loadweir/incident.log"],
    ["/var/log/loadweir/web/x.log", "/var/log/loadweir/web/x.log"],
    ["/var/log/boa/high.load.incident.log", "/var/log/boa/high.load.incident.log"],
    ["/var/log/loadweir/../syslog", undefined],
    ["/var/log/loadweir", undefined],
    ["/var/log/syslog", undefined],
    ["incident.log", undefined],
  ]);
  assertEquals(MAYBE_LOG_PATH.maybeRead(""), { value: undefined });
});

Deno.test("YES_OR_NO is a switch in any case", () => {
  assertReads(YES_OR_NO, [["yes", true], ["NO", false], ["on", undefined], ["1", undefined], [
    "",
    undefined,
  ]]);
});
