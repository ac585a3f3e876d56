/** What the ledger keeps of the ladder, and when it has changed. */

import type { LadderState } from "../ladder/state.ts";
import type { LedgerLadder } from "./ledger.ts";

/** How exact the ledger is about when the load was last valid. */
const LAST_VALID_STEP_MS = 30_000;

/** What the ledger keeps of a state. Never throws. */
export function ladderOfNow({ markers, hold, futileAtPercent, lastValidMs }: LadderState): LedgerLadder {
  return {
    markers,
    hold: hold && { sinceBootMs: hold.sinceMs, overdueReported: hold.overdueReported },
    futileAtPercent,
    lastValidBootMs: lastValidMs,
  };
}

/** The same text for states of which the ledger need not be written again. Never throws. */
export function ladderKey(state: LadderState): string {
  return JSON.stringify({ ...ladderOfNow(state), lastValidBootMs: lastValidStep(state) });
}

/** When the load was last valid, in steps: while nothing is held it does not matter, and else half a minute is exact enough. */
function lastValidStep({ hold, lastValidMs = 0 }: LadderState): number {
  return hold === undefined ? 0 : Math.floor(lastValidMs / LAST_VALID_STEP_MS);
}
