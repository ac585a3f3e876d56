/** What a replay adds up to: how often the ladder would have acted, and what it would have cost. */

import type { ActionName, Decision } from "../ladder/decision.ts";

/** Totals of a replay. Times in milliseconds, as far as the trace goes. */
export interface ReplaySummary {
  readonly evaluations: number;
  readonly spanMs: number;
  /** Evaluations without a load. */
  readonly unknown: number;
  readonly actions: Readonly<Partial<Record<ActionName, number>>>;
  /** The web was paused. */
  readonly pausedMs: number;
  readonly longestPauseMs: number;
  /** Crawlers were blocked. */
  readonly blockedMs: number;
  /** The highest of both loads that was evaluated; undefined when none was known. */
  readonly highestPercent: number | undefined;
}

/** Adds up decisions as they come. */
export interface Tally {
  readonly add: (decision: Decision) => void;
  readonly summary: () => ReplaySummary;
}

/** Begins a tally; its memory does not grow. */
export function beginTally(): Tally {
  const actions: Partial<Record<ActionName, number>> = {};
  let evaluations = 0;
  let unknown = 0;
  let firstMs = 0;
  let pausedMs = 0;
  let longestPauseMs = 0;
  let pauseMs = 0;
  let blockedMs = 0;
  let highestPercent: number | undefined;
  let last: Decision | undefined;
  return {
    add(decision: Decision): void {
      if (last === undefined) firstMs = decision.monotonicMs;
      const sinceMs = decision.monotonicMs - (last?.monotonicMs ?? decision.monotonicMs);
      if (last?.paused) {
        pausedMs += sinceMs;
        pauseMs += sinceMs;
        longestPauseMs = Math.max(longestPauseMs, pauseMs);
      }
      if (last?.crawlerBlock) blockedMs += sinceMs;
      if (!decision.paused) pauseMs = 0;
      for (const action of decision.actions) actions[action] = (actions[action] ?? 0) + 1;
      if (decision.load1Percent === undefined || decision.load5Percent === undefined) unknown += 1;
      else {
        const higher = Math.max(decision.load1Percent, decision.load5Percent);
        highestPercent = Math.max(highestPercent ?? 0, higher);
      }
      evaluations += 1;
      last = decision;
    },
    summary: () => ({
      evaluations,
      spanMs: (last?.monotonicMs ?? firstMs) - firstMs,
      unknown,
      actions: { ...actions },
      pausedMs,
      longestPauseMs,
      blockedMs,
      highestPercent,
    }),
  };
}
