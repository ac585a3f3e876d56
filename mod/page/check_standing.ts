/** Where each check of the probe stands, in one word, and since when. */

import type { CheckReport, ProbeVerdict } from "../probe/verdict.ts";

/**
 * In one word: it has failed and takes the host out; it has failed and only warns; it is bad, but not often enough yet; it
 * cannot be seen; it has not been well often enough yet; it is well.
 */
export type CheckStanding = "failed" | "warning" | "failing" | "unknown" | "unproven" | "ok";

/** Since when a check stands as it does. */
export interface CheckSince {
  readonly standing: CheckStanding;
  /** Milliseconds since boot. */
  readonly sinceMs: number;
}

/** By the name of the check. */
export type CheckTimes = ReadonlyMap<string, CheckSince>;

/** Where a check stands. Never throws. */
export function standingOf({ settled, action, result }: CheckReport): CheckStanding {
  if (settled === "drain") return action === "drain" ? "failed" : "warning";
  if (settled === "warn") return "warning";
  if (result.state === "bad") return "failing";
  if (result.state === "unknown") return "unknown";
  return settled === "untried" ? "unproven" : "ok";
}

/** The times after one more verdict; those of checks that are looked at no more are gone. Never throws. */
export function followChecks(before: CheckTimes, { checks, monotonicMs }: ProbeVerdict): CheckTimes {
  return new Map(checks.map((report) => {
    const standing = standingOf(report);
    const known = before.get(report.id);
    return [report.id, known?.standing === standing ? known : { standing, sinceMs: monotonicMs }];
  }));
}
