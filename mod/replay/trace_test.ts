import { assertEquals, assertThrows } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";
import { ok } from "../reading.ts";
import { mutationsOf } from "../testing/mutations.ts";
import { parseTraceLine, sampleOfRecord } from "./trace.ts";

const LINE = '{"t":9.1,"load1":13.42,"load5":9.1,"cpus":2,"iowaitPct":0.5,"backup":true}';

Deno.test("sampleOfRecord() gives loads in whole hundredths", () => {
  const sample = sampleOfRecord(parseTraceLine(LINE, "night", 1), 9_100, "gate");
  assertEquals(sample.monotonicMs, 9_100);
  assertEquals(
    sample.load,
    ok({
      load1Hundredths: 1342,
      load5Hundredths: 910,
      cpuCount: 2,
      line: undefined,
      cpuBusyRatio: undefined,
    }),
  );
  assertEquals(sample.gate?.backups, ok(["a backup"]));
  assertEquals(sample.gate?.iowaitPercent, ok(0.5));
  assertEquals(sample.gate?.psiCpuPercent.kind, "absent");
});

Deno.test("sampleOfRecord() has no load when any part of it was not readable", () => {
  for (
    const part of [
      '"load1":null,"load5":1,"cpus":2',
      '"load1":1,"load5":null,"cpus":2',
      '"load1":1,"load5":1,"cpus":null',
    ]
  ) {
    const record = parseTraceLine(`{"t":0,${part}}`, "night", 1);
    assertEquals(sampleOfRecord(record, 0, "load").load.kind, "failed");
  }
});

const BROKEN: readonly (readonly [string, string])[] = [
  ["", '"" is no JSON'],
  ["[1]", '"[1]" is no JSON object'],
  ['{"load1":1,"load5":1,"cpus":2}', "t is missing, expected seconds"],
  ['{"t":-1,"load1":1,"load5":1,"cpus":2}', 't is "-1", expected seconds'],
  ['{"t":0,"load5":1,"cpus":2}', "load1 is missing, expected a number or null"],
  ['{"t":0,"load1":"1","load5":1,"cpus":2}', "load1 is"],
  ['{"t":0,"load1":-0.5,"load5":1,"cpus":2}', 'load1 is "-0.5", expected 0 to'],
  ['{"t":0,"load1":1,"load5":1,"cpus":0}', 'cpus is "0", expected 1 to'],
  ['{"t":0,"load1":1,"load5":1,"cpus":1.5}', 'cpus is "1.5", expected a whole number'],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"iowaitPct":101}', "iowaitPct is"],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"backup":1}', "backup is"],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"iowaitPct":0,"backup":false,"psiCpu":"1"}', "psiCpu is"],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"line":1}', 'line is "1", expected a text'],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"byHand":"stop"}', "byHand is"],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"heldWeb":"up"}', "heldWeb is"],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"asked":false}', "asked is"],
  ['{"t":0,"load1":1,"load5":1,"cpus":2,"decided":"max"}', "decided is"],
];

for (const [line, problem] of BROKEN) {
  Deno.test(`parseTraceLine() refuses ${line}`, () => {
    assertThrows(
      () => parseTraceLine(line, "night", 7),
      ParseError,
      `Cannot parse "night" line 7: ${problem}`,
    );
  });
}

Deno.test("parseTraceLine() throws nothing but its own error for mutated lines", () => {
  fc.assert(
    fc.property(mutationsOf(LINE), (line) => {
      try {
        const sample = sampleOfRecord(parseTraceLine(line, "night", 1), 0, "gate");
        if (sample.load.kind === "ok") assertEquals(sample.load.value.load1Hundredths >= 0, true);
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
      }
    }),
    { numRuns: 10_000 },
  );
});
