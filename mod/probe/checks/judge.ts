/** What the judges have in common: one reading or two to a result, and a figure against two levels. */

import { type Reading, whyMissing } from "../../reading.ts";
import { bad, type CheckNumbers, type CheckResult, fine, unknown } from "../check.ts";
import type { Levels } from "../thresholds.ts";

/** What is made of a value; without one, unknown and why. */
export function judged<T>(reading: Reading<T>, judge: (value: T) => CheckResult): CheckResult {
  return reading.kind === "ok" ? judge(reading.value) : unknown(whyMissing(reading) ?? "");
}

/** A figure and the levels it is compared with. */
export interface Compared {
  readonly value: number;
  readonly levels: Levels;
  /** What was seen, without the level. */
  readonly evidence: string;
  /** Unit of the levels in text: ` %`, `/s`. */
  readonly unit: string;
  readonly numbers: CheckNumbers;
}

/** Bad over a level, never at it. */
export function compare({ value, levels, evidence, unit, numbers }: Compared): CheckResult {
  if (value > levels.drain) return bad("drain", `${evidence}, over ${levels.drain}${unit}`, numbers);
  if (value > levels.warn) return bad("warn", `${evidence}, over ${levels.warn}${unit}`, numbers);
  return fine(evidence, numbers);
}

/**
 * A part of a whole against levels in percent.
 *
 * @param whole Above 0
 * @param what What is counted, as `open files`
 */
export function compareShare(part: number, whole: number, what: string, levels: Levels): CheckResult {
  const percent = 100 * part / whole;
  return compare({
    value: percent,
    levels,
    evidence: `${part} of ${whole} ${what}, ${percentText(percent)} %`,
    unit: " %",
    numbers: { count: part, limitCount: whole, percent },
  });
}

/** Two decimals, more where they would hide that 90.001 is over 90. */
export function percentText(percent: number): string {
  const short = percent.toFixed(2);
  return Number.isInteger(Number(short)) && !Number.isInteger(percent) ? String(percent) : short;
}
