/**
 * `/proc/pressure/{cpu,io,memory,irq}`: the share of time in which tasks had to wait for a resource.
 *
 *     some avg10=64.20 avg60=41.75 avg300=18.06 total=5127399012
 *     full avg10=0.00 avg60=0.00 avg300=0.00 total=0
 *
 * Needs Linux 4.20 with CONFIG_PSI. `cpu` has a `full` line since 5.13, always 0 for a whole host; `irq` has
 * only `full`.
 *
 * @see https://www.kernel.org/doc/html/latest/accounting/psi.html
 */

import { ParseError, quote } from "../errors.ts";

/** One line of a pressure file. */
export interface PressureLine {
  /** Share of the last 10 s, 0 to 100. */
  readonly avg10Percent: number;
  /** Share of the last 60 s, 0 to 100. */
  readonly avg60Percent: number;
  /** Share of the last 300 s, 0 to 100. */
  readonly avg300Percent: number;
  /** Time since boot, in microseconds. */
  readonly totalMicros: number;
}

/**
 * One pressure file, with at least one of its lines. A line that the kernel does not print is undefined,
 * never 0.
 */
export interface Pressure {
  /** At least one task waited. */
  readonly some: PressureLine | undefined;
  /** All tasks that had something to do waited at once. */
  readonly full: PressureLine | undefined;
}

/**
 * Reads a pressure file. Lines that start with another word than `some` or `full`, and unknown fields, are
 * skipped.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If a `some` or `full` line is there twice or lacks a figure, if a share is not between
 * 0 and 100 with two decimals, if a total is no whole number, or if the text is empty or holds neither line:
 * a kernel that cannot tell the pressure has no such file, or fails the read
 */
export function parsePressure(text: string, source: string): Pressure {
  const found: { some?: PressureLine; full?: PressureLine } = {};
  for (const [index, line] of text.split("\n").entries()) {
    const [kind, ...fields] = line.split(" ");
    if (kind !== "some" && kind !== "full") continue;
    if (found[kind] !== undefined) {
      throw new ParseError(source, `is a second "${kind}" line, expected one`, index + 1);
    }
    found[kind] = parseFields(fields, source, index + 1);
  }
  if (found.some === undefined && found.full === undefined) {
    const seen = text.trim() === "" ? "is empty" : `is ${quote(text.trim())}`;
    throw new ParseError(
      source,
      `${seen}, expected a line like "some avg10=0.00 avg60=0.00 avg300=0.00 total=0"`,
    );
  }
  return { some: found.some, full: found.full };
}

function parseFields(fields: readonly string[], source: string, line: number): PressureLine {
  return {
    avg10Percent: parsePercent("avg10", fields, source, line),
    avg60Percent: parsePercent("avg60", fields, source, line),
    avg300Percent: parsePercent("avg300", fields, source, line),
    totalMicros: parseMicros(fields, source, line),
  };
}

function parsePercent(key: string, fields: readonly string[], source: string, line: number): number {
  const value = valueOf(key, fields);
  if (value === undefined || !/^\d{1,3}\.\d\d$/.test(value) || Number(value) > 100) {
    throw new ParseError(source, `${seen(key, value)}, expected 0.00 to 100.00`, line);
  }
  return Number(value);
}

function parseMicros(fields: readonly string[], source: string, line: number): number {
  const value = valueOf("total", fields);
  if (value === undefined || !/^\d{1,20}$/.test(value)) {
    throw new ParseError(source, `${seen("total", value)}, expected a whole number of microseconds`, line);
  }
  return Number(value);
}

function valueOf(key: string, fields: readonly string[]): string | undefined {
  return fields.find((field) => field.startsWith(`${key}=`))?.slice(key.length + 1);
}

function seen(key: string, value: string | undefined): string {
  return value === undefined ? `${key} is missing` : `${key} is ${quote(value)}`;
}
