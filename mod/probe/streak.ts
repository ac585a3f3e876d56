/**
 * Fall and rise: how many looks in a row it takes until a check counts as failed, and as well again.
 *
 *     fall 3, rise 2:   bad bad bad → failed   ok ok → well   bad bad unknown bad → failed
 *
 * Unknown holds what is settled. It takes no bad look back, and no good one counts across it.
 *
 * @see https://docs.haproxy.org/2.6/configuration.html#5.2-fall
 */

import type { CheckResult } from "./check.ts";

/** What a check has come to. Untried is neither well nor failed. */
export type Settled = "untried" | "ok" | "warn" | "drain";

/** The looks of one check so far. Runs end at the number that matters, so that they do not grow. */
export interface Streak {
  readonly settled: Settled;
  /** Bad looks worth a drain, since the last one that was not. */
  readonly drainRun: number;
  /** Bad looks of any kind, since the last good one. */
  readonly badRun: number;
  /** Looks in a row that were known and not worth a drain. */
  readonly belowDrainRun: number;
  /** Good looks in a row. */
  readonly okRun: number;
}

/** Before the first look. */
export const NO_STREAK: Streak = { settled: "untried", drainRun: 0, badRun: 0, belowDrainRun: 0, okRun: 0 };

/** How many looks it takes, each at least 1. */
export interface StreakRules {
  readonly fallCount: number;
  readonly riseCount: number;
}

/** The streak after one more look. A worse look never leaves it better. Never throws. */
export function nextStreak(
  streak: Streak,
  result: CheckResult,
  { fallCount, riseCount }: StreakRules,
): Streak {
  if (result.state === "unknown") return { ...streak, belowDrainRun: 0, okRun: 0 };
  const isOk = result.state === "ok";
  const isDrain = result.state === "bad" && result.severity === "drain";
  const runs = {
    drainRun: isDrain ? Math.min(streak.drainRun + 1, fallCount) : 0,
    badRun: isOk ? 0 : Math.min(streak.badRun + 1, fallCount),
    belowDrainRun: isDrain ? 0 : Math.min(streak.belowDrainRun + 1, riseCount),
    okRun: isOk ? Math.min(streak.okRun + 1, riseCount) : 0,
  };
  return { ...runs, settled: settle(streak.settled, runs, fallCount, riseCount) };
}

function settle(
  before: Settled,
  { drainRun, badRun, belowDrainRun, okRun }: Omit<Streak, "settled">,
  fallCount: number,
  riseCount: number,
): Settled {
  if (drainRun >= fallCount) return "drain";
  if (okRun >= riseCount) return "ok";
  if (before === "drain") return belowDrainRun >= riseCount ? "warn" : "drain";
  return badRun >= fallCount ? "warn" : before;
}
