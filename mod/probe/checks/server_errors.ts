/** The share of answers that are errors of the server, over stretches of half a minute. */

import { type Reading, whyMissing } from "../../reading.ts";
import { bad, type CheckResult, fine, type Severity, unknown } from "../check.ts";
import type { Levels } from "../thresholds.ts";
import type { AccessCounts } from "./access_line.ts";
import { percentText } from "./judge.ts";

/** How long a stretch is. */
const STRETCH_MS = 30_000;

/** Fewer answers in a stretch say nothing. A drained host has none, and so is not kept out by this. */
const REQUESTS_MIN_COUNT = 20;

/** What is known between two looks. */
export interface ErrorWatch {
  /** When the stretch began that is not over yet; undefined before the first. */
  readonly sinceMs: number | undefined;
  readonly requestCount: number;
  readonly errorCount: number;
  /** How bad the stretch before was. */
  readonly before: Severity | "fine" | undefined;
  /** What is said until the stretch is over. */
  readonly result: CheckResult;
}

/** Before the first look. */
export const NO_ERRORS_WATCHED: ErrorWatch = {
  sinceMs: undefined,
  requestCount: 0,
  errorCount: 0,
  before: undefined,
  result: unknown("watched for less than half a minute"),
};

/**
 * Adds what was logged since the look before, and judges when a stretch is over: bad is what was bad in two
 * stretches one after the other, as bad as the better of them. Never throws.
 *
 * @param counts Failed or absent where the log could not be read: then both stretches begin anew
 * @param nowMs Monotonic
 */
export function watchErrors(
  watch: ErrorWatch,
  counts: Reading<AccessCounts>,
  nowMs: number,
  levels: Levels,
): ErrorWatch {
  if (counts.kind !== "ok") {
    return { ...NO_ERRORS_WATCHED, result: unknown(whyMissing(counts) ?? "") };
  }
  const { requestCount: requests, errorCount: errors, unreadableCount } = counts.value;
  if (requests === 0 && unreadableCount >= REQUESTS_MIN_COUNT) {
    const why = `${unreadableCount} lines of the access log, none in the format that is configured`;
    return { ...NO_ERRORS_WATCHED, result: unknown(why) };
  }
  if (watch.sinceMs === undefined) return { ...watch, sinceMs: nowMs };
  const requestCount = watch.requestCount + requests;
  const errorCount = watch.errorCount + errors;
  if (nowMs - watch.sinceMs < STRETCH_MS) return { ...watch, requestCount, errorCount };
  const now = severityOf(requestCount, errorCount, levels);
  return {
    sinceMs: nowMs,
    requestCount: 0,
    errorCount: 0,
    before: now,
    result: resultOf(milder(now, watch.before ?? "fine"), requestCount, errorCount),
  };
}

/** At a level counts: the rule is "at least". */
function severityOf(requestCount: number, errorCount: number, levels: Levels): Severity | "fine" {
  if (requestCount < REQUESTS_MIN_COUNT) return "fine";
  const percent = 100 * errorCount / requestCount;
  return percent >= levels.drain ? "drain" : percent >= levels.warn ? "warn" : "fine";
}

function milder(one: Severity | "fine", other: Severity | "fine"): Severity | "fine" {
  if (one === "fine" || other === "fine") return "fine";
  return one === "warn" ? one : other;
}

function resultOf(severity: Severity | "fine", requestCount: number, errorCount: number): CheckResult {
  const share = requestCount === 0 ? "" : `, ${percentText(100 * errorCount / requestCount)} %`;
  const evidence = `${errorCount} of ${requestCount} answers are errors of the server${share}`;
  const numbers = { requestCount, errorCount };
  if (severity !== "fine") {
    return bad(severity, `${evidence}, and the half minute before was as bad`, numbers);
  }
  return fine(requestCount < REQUESTS_MIN_COUNT ? `${evidence}, too few to tell` : evidence, numbers);
}
