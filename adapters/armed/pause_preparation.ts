/** Asks ahead of a pause what it will have to know, while the re-check that may bring it on is waited for. */

import type { Decision } from "../../mod/ladder/decision.ts";
import type { Clock } from "../clock.ts";
import { ANSWER_AGE_MS } from "../web/remembered_answers.ts";

/** What was said has to last for a re-check, and for what a pause asks as it begins. */
const AGAIN_MS = ANSWER_AGE_MS - 15_000;

/**
 * Opens a preparation, which follows decisions.
 *
 * @param ask Asks; never rejects. It takes seconds on a host that is overloaded, so a backup that exempts it for hours does
 * not have it asked at each re-check
 */
export function openPausePreparation(
  clock: Pick<Clock, "monotonicMs">,
  ask: () => Promise<unknown>,
): (decision: Pick<Decision, "tier" | "paused" | "actions">) => void {
  let isAsking = false;
  let askedMs = -Infinity;
  return ({ tier, paused, actions }) => {
    const isToCome = (tier === "max" || tier === "crit") && !paused && actions.includes("recheck");
    if (!isToCome || isAsking || clock.monotonicMs() - askedMs < AGAIN_MS) return;
    isAsking = true;
    askedMs = clock.monotonicMs();
    void ask().finally(() => isAsking = false);
  };
}
