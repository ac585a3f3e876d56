/** Asks ahead of a pause what it will have to know, while the re-check that may bring it on is waited for. */

import type { Decision } from "../../mod/ladder/decision.ts";

/**
 * Opens a preparation, which follows decisions.
 *
 * @param ask Asks; never rejects. It takes seconds on a host that is overloaded, and is not begun twice at a time
 */
export function openPausePreparation(
  ask: () => Promise<unknown>,
): (decision: Pick<Decision, "tier" | "paused" | "actions">) => void {
  let isAsking = false;
  return ({ tier, paused, actions }) => {
    const isToCome = (tier === "max" || tier === "crit") && !paused && actions.includes("recheck");
    if (!isToCome || isAsking) return;
    isAsking = true;
    void ask().finally(() => isAsking = false);
  };
}
