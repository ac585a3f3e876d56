/**
 * The last evaluations, of the ladder and of pressure, the newest first. Those that come out the same one after the other,
 * or in turn with one other, are one entry that counts: on a quiet host the last twenty would all say the same, and above
 * SPIDER a pass and its re-check take turns.
 */

import type { PressureEvaluation } from "../pressure/pressure.ts";
import type { Decision } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { explainDecision } from "../report/explain_ladder.ts";
import { explainEvaluation } from "../report/explain_pressure.ts";
import type { Explanation } from "../report/explanation.ts";

/** Entries that are kept. */
export const RECENT_LIMIT = 20;

/** So many of the newest entries may take turns. */
const TURNS = 2;

/** Evaluations that came out the same. */
export interface RecentEvaluation {
  readonly about: Explanation["about"];
  /** Two with the same key came out the same. */
  readonly key: string;
  readonly firstWallMs: number;
  readonly lastWallMs: number;
  readonly count: number;
  /** Explains the last of them; nothing is written before somebody asks. */
  readonly explain: () => Explanation;
}

/** The list with one more evaluation. Never throws. */
export function noteRecent(
  list: readonly RecentEvaluation[],
  { about, key, wallMs, explain }: Pick<RecentEvaluation, "about" | "key" | "explain"> & {
    readonly wallMs: number;
  },
): readonly RecentEvaluation[] {
  const before = list.filter((one) => one.about === about).slice(0, TURNS).find((one) => one.key === key);
  const entry = {
    about,
    key,
    firstWallMs: before?.firstWallMs ?? wallMs,
    lastWallMs: wallMs,
    count: (before?.count ?? 0) + 1,
    explain,
  };
  return [entry, ...list.filter((one) => one !== before).slice(0, RECENT_LIMIT - 1)];
}

/** The list with one more decision of the ladder. Never throws. */
export function noteDecision(
  list: readonly RecentEvaluation[],
  decision: Decision,
  rules: LadderRules,
  wallMs: number,
): readonly RecentEvaluation[] {
  const { tier, phase, confirmed, paused, reason, actions } = decision;
  return noteRecent(list, {
    about: "ladder",
    key: `${tier} ${phase} ${confirmed} ${paused} ${reason} ${actions.join()}`,
    wallMs,
    explain: () => explainDecision(decision, rules, wallMs),
  });
}

/** The list with one more evaluation of pressure. Never throws. */
export function notePressure(
  list: readonly RecentEvaluation[],
  evaluation: PressureEvaluation,
): readonly RecentEvaluation[] {
  const { wallMs, input, thresholds, action, because, classBecause, also } = evaluation;
  return noteRecent(list, {
    about: "pressure",
    key: `${evaluation.class} ${classBecause.code} ${also.join()} ${action} ${because.code}`,
    wallMs,
    explain: () => explainEvaluation(evaluation, input, thresholds, wallMs),
  });
}
