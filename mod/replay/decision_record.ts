/** Decisions as programs read them: one JSON object a line. The key names are a contract. */

import type { Decision } from "../ladder/decision.ts";

/** One decision on the wire; `t` in seconds, loads in percent of the CPUs with one decimal, null where unknown. */
export interface DecisionRecord {
  readonly t: number;
  readonly phase: Decision["phase"];
  readonly tier: Decision["tier"];
  readonly confirmed: boolean;
  readonly load1Pct: number | null;
  readonly load5Pct: number | null;
  readonly actions: Decision["actions"];
  readonly markers: Decision["markers"];
  readonly crawlerBlock: boolean;
  readonly paused: boolean;
}

/** The record of a decision. */
export function recordOfDecision(decision: Decision): DecisionRecord {
  return {
    t: decision.monotonicMs / 1000,
    phase: decision.phase,
    tier: decision.tier,
    confirmed: decision.confirmed,
    load1Pct: decision.load1Percent ?? null,
    load5Pct: decision.load5Percent ?? null,
    actions: decision.actions,
    markers: decision.markers,
    crawlerBlock: decision.crawlerBlock,
    paused: decision.paused,
  };
}
