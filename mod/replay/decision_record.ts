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

/** What a journal keeps of a decision, to hold a replay against. */
export type DecidedRecord = Pick<Decision, "phase" | "tier" | "actions" | "alerts" | "reason">;

/** That part of a decision. */
export function decidedOf({ phase, tier, actions, alerts, reason }: Decision): DecidedRecord {
  return { phase, tier, actions, alerts, reason };
}

/** Whether a value has the form of such a part, whatever it says. Never throws. */
export function isDecided(value: unknown): value is DecidedRecord {
  if (typeof value !== "object" || value === null) return false;
  const { phase, tier, actions, alerts, reason } = value as Partial<Record<keyof DecidedRecord, unknown>>;
  return [phase, tier, reason].every((text) => typeof text === "string") && Array.isArray(actions) &&
    Array.isArray(alerts);
}
