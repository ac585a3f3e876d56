/** The one verdict on the host, which every outlet publishes. */

import type { CheckAction, CheckId, CheckResult } from "./check.ts";
import type { Settled } from "./streak.ts";

/** Why the verdict is what it is: a closed list, so that reasons can be counted. */
export const PROBE_REASONS = {
  "all-well": "no check has failed",
  "warned": "a check has failed that does not take the host out",
  "not-proven-yet": "no probe has passed often enough since the start",
  "no-active-probe": "a check has failed, but no site is probed that could bring the host back: it stays in",
  "drain-limit": "a check has failed, but as many of the peers as may be are out already: the host stays in",
  "check-failed": "a check has failed",
  "web-paused": "the web is paused on purpose",
  "minimum-hold": "no check fails any more, but the host has not been out for long enough",
  "waits-for-probe": "no check fails any more, but the sites have not answered often enough",
  "drained-by-hand": "a person asked for it",
  "kept-in-by-hand": "a person asked for it, whatever the checks say",
} as const;

/** Code of a reason. */
export type ProbeReason = keyof typeof PROBE_REASONS;

/** One check, as it stands. */
export interface CheckReport {
  readonly id: CheckId;
  readonly action: Exclude<CheckAction, "off">;
  readonly settled: Settled;
  /** A site that has not passed yet as it is configured now: whatever its action says, it takes nobody out. */
  readonly isUnproven: boolean;
  /** What counts of this look: while the web is paused, checks of the web are unknown. */
  readonly result: CheckResult;
}

/** The verdict of one look. */
export interface ProbeVerdict {
  readonly monotonicMs: number;
  /** `starting` is not taken out, and not ready either. */
  readonly phase: "starting" | "in" | "drained";
  readonly reason: ProbeReason;
  /** One line for people: what failed, or why a person wanted it. Empty where there is nothing to add. */
  readonly text: string;
  /** What this look changed; undefined where the host stays as it was. */
  readonly change: "drained" | "returned" | "ready" | undefined;
  /** Since when the phase is this one. */
  readonly sinceMs: number;
  /** Before when it will not come back by itself; undefined where it is in, or where nothing says when. */
  readonly holdUntilMs: number | undefined;
  /** Sites first. */
  readonly checks: readonly CheckReport[];
}

/** The checks that have failed and may take the host out. */
export function failedChecks(checks: readonly CheckReport[]): readonly CheckReport[] {
  return checks.filter((check) => check.settled === "drain" && mayDrain(check));
}

/** The checks that have failed and do not take the host out. */
export function warningChecks(checks: readonly CheckReport[]): readonly CheckReport[] {
  return checks.filter((check) =>
    check.settled === "warn" || (check.settled === "drain" && !mayDrain(check))
  );
}

/** Whether a check takes the host out when it fails. */
export function mayDrain({ action, isUnproven }: CheckReport): boolean {
  return action === "drain" && !isUnproven;
}
