/**
 * Traces: one sample a line, as `loadweir record` writes them and `loadweir replay` reads them.
 *
 * ```json
 * {"t":9.1,"load1":13.42,"load5":9.1,"cpus":2,"iowaitPct":0.5,"backup":false}
 * ```
 *
 * | key         | value                                                                        |
 * | ----------- | ---------------------------------------------------------------------------- |
 * | `t`         | seconds, rising from line to line                                            |
 * | `load1`     | 1-minute load average, two decimals; null is not readable                    |
 * | `load5`     | 5-minute load average, two decimals; null is not readable                    |
 * | `cpus`      | CPUs online; null is not readable                                            |
 * | `iowaitPct` | share of CPU time that waited for the disk, in percent; null is not readable |
 * | `backup`    | whether a backup runs; null is not known                                     |
 *
 * Optional, for the second witness: `runnable` tasks, `cpuBusy` 0 to 1, `psiCpu` and `psiIo` some avg10 in percent; for
 * people: `wall`, milliseconds since 1970. A journal also has `line`, the whole line of loadavg, `byHand` and `heldWeb`,
 * `asked` where a person's request has brought an evaluation on before it was due, and what was decided then, as `decided`.
 */

import { ParseError, quote } from "../errors.ts";
import { absent, failed, ok, type Reading } from "../reading.ts";
import {
  BY_HAND,
  type ByHand,
  type GateReadings,
  HELD_WEB,
  type HeldWeb,
  type Sample,
} from "../ladder/sample.ts";
import type { Needs } from "../ladder/ladder.ts";
import { type DecidedRecord, isDecided } from "./decision_record.ts";

/** One line of a trace; undefined is a key that is not there, null what could not be read. */
export interface TraceRecord {
  readonly t: number;
  readonly load1: number | null;
  readonly load5: number | null;
  readonly cpus: number | null;
  readonly iowaitPct?: number | null;
  readonly backup?: boolean | null;
  readonly runnable?: number | null;
  readonly cpuBusy?: number | null;
  readonly psiCpu?: number | null;
  readonly psiIo?: number | null;
  readonly wall?: number;
  readonly line?: string;
  readonly byHand?: ByHand;
  readonly heldWeb?: HeldWeb;
  readonly asked?: true;
  readonly decided?: DecidedRecord;
}

/** Load beyond which a trace is no trace: the kernel has at most four million tasks. */
const LOAD_LIMIT = 1e7;

/** CPUs beyond which a trace is no trace: the kernel is built for 8 192 at most. */
const CPU_LIMIT = 65_536;

/** Keys whose value is a number that may be unknown, with the least and greatest that make sense. */
const NUMBERS: readonly (readonly [keyof TraceRecord, number, number])[] = [
  ["load1", 0, LOAD_LIMIT],
  ["load5", 0, LOAD_LIMIT],
  ["cpus", 1, CPU_LIMIT],
  ["iowaitPct", 0, 100],
  ["runnable", 0, 1e9],
  ["cpuBusy", 0, 1],
  ["psiCpu", 0, 100],
  ["psiIo", 0, 100],
];

/**
 * Reads one line of a trace.
 *
 * @param source Where the line stands, for the error
 * @param line Line number from 1, for the error
 * @throws {ParseError} If the line is no JSON object, a value is of the wrong kind or out of range, or `t` is missing
 */
export function parseTraceLine(text: string, source: string, line: number): TraceRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ParseError(
      source,
      `${quote(text)} is no JSON, expected one sample like {"t":0,"load1":1.5,…}`,
      line,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ParseError(source, `${quote(text)} is no JSON object, expected one sample a line`, line);
  }
  const record = value as TraceRecord;
  const problem = isPlain(record) ? undefined : problemOf(record);
  if (problem !== undefined) throw new ParseError(source, problem, line);
  return record;
}

/**
 * Whether a record has the usual keys with sane values and no optional one: the quick look that nearly every line passes.
 * A replay reads half a million lines a second, of which this look is a part; `problemOf` is the thorough one.
 */
function isPlain(record: TraceRecord): boolean {
  const { t, load1, load5, cpus, iowaitPct } = record;
  return typeof t === "number" && t >= 0 && t < Infinity &&
    typeof load1 === "number" && load1 >= 0 && load1 <= LOAD_LIMIT &&
    typeof load5 === "number" && load5 >= 0 && load5 <= LOAD_LIMIT &&
    typeof cpus === "number" && cpus >= 1 && cpus <= CPU_LIMIT && cpus === Math.floor(cpus) &&
    typeof iowaitPct === "number" && iowaitPct >= 0 && iowaitPct <= 100 &&
    typeof record.backup === "boolean" && record.runnable === undefined && record.cpuBusy === undefined &&
    record.psiCpu === undefined && record.psiIo === undefined && record.line === undefined &&
    record.byHand === undefined && record.heldWeb === undefined && record.asked === undefined &&
    record.decided === undefined;
}

/** What is wrong with a record, in words, or undefined when nothing is. */
function problemOf(record: TraceRecord): string | undefined {
  if (typeof record.t !== "number" || !(record.t >= 0)) {
    return `t is ${shown(record.t)}, expected seconds, 0 or more`;
  }
  for (const key of ["load1", "load5", "cpus"] as const) {
    if (record[key] === undefined) return `${key} is missing, expected a number or null`;
  }
  for (const [key, least, greatest] of NUMBERS) {
    const number = record[key];
    if (number === undefined || number === null) continue;
    if (typeof number !== "number" || !(number >= least && number <= greatest)) {
      return `${key} is ${shown(number)}, expected ${least} to ${greatest} or null`;
    }
  }
  if (record.cpus !== null && !Number.isInteger(record.cpus)) {
    return `cpus is ${shown(record.cpus)}, expected a whole number`;
  }
  const { backup } = record;
  if (backup !== undefined && backup !== null && typeof backup !== "boolean") {
    return `backup is ${shown(backup)}, expected true, false or null`;
  }
  return problemOfJournal(record);
}

/** What is wrong with the keys that only a journal has. */
function problemOfJournal({ line, byHand, heldWeb, asked, decided }: TraceRecord): string | undefined {
  if (line !== undefined && typeof line !== "string") return `line is ${shown(line)}, expected a text`;
  if (byHand !== undefined && !BY_HAND.includes(byHand)) {
    return `byHand is ${shown(byHand)}, expected ${BY_HAND.join(" or ")}`;
  }
  if (heldWeb !== undefined && !HELD_WEB.includes(heldWeb)) {
    return `heldWeb is ${shown(heldWeb)}, expected ${HELD_WEB.join(" or ")}`;
  }
  if (asked !== undefined && asked !== true) return `asked is ${shown(asked)}, expected true`;
  if (decided !== undefined && !isDecided(decided)) {
    return `decided is ${shown(decided)}, expected what was decided then`;
  }
  return undefined;
}

/**
 * The sample that a record stands for.
 *
 * @param monotonicMs The record's `t` in whole milliseconds
 * @param needs What the evaluation before asked for
 */
export function sampleOfRecord(record: TraceRecord, monotonicMs: number, needs: Needs): Sample {
  const { load1, load5, cpus } = record;
  return {
    monotonicMs,
    wallMs: record.wall ?? monotonicMs,
    load: load1 === null || load5 === null || cpus === null ? NOT_READABLE : ok({
      load1Hundredths: Math.round(load1 * 100),
      load5Hundredths: Math.round(load5 * 100),
      cpuCount: cpus,
      line: record.line,
      cpuBusyRatio: record.cpuBusy ?? undefined,
    }),
    byHand: record.byHand,
    heldWeb: record.heldWeb,
    gate: needs === "gate" ? gateOfRecord(record) : undefined,
  };
}

const NOT_READABLE = failed("not readable when it was recorded");
const NOT_RECORDED = absent("not recorded");

function gateOfRecord(record: TraceRecord): GateReadings {
  return {
    backups: record.backup === undefined || record.backup === null
      ? NOT_RECORDED
      : ok(record.backup ? ["a backup"] : []),
    iowaitPercent: readingOf(record.iowaitPct),
    runnableTasks: readingOf(record.runnable),
    psiCpuPercent: readingOf(record.psiCpu),
    psiIoPercent: readingOf(record.psiIo),
  };
}

function readingOf(value: number | null | undefined): Reading<number> {
  return value === undefined ? NOT_RECORDED : value === null ? NOT_READABLE : ok(value);
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : quote(JSON.stringify(value));
}
