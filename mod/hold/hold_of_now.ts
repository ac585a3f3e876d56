/** Whose a pause is may change while it lasts: a person asks for it too, or for longer, or the load keeps what he has asked for. */

import type { LadderState } from "../ladder/state.ts";
import type { LedgerHold } from "./ledger.ts";

/**
 * The hold of the ledger as the ladder sees it now, so that its end is the one that is waited for. The same object where
 * that is so already, or the ladder holds nothing any more.
 *
 * @param byHandEndMs When what a person asked for ends by itself, in milliseconds since boot; undefined is without end
 */
export function holdOfNow(
  hold: LedgerHold,
  { hold: decided, markers }: Pick<LadderState, "hold" | "markers">,
  byHandEndMs: number | undefined,
): LedgerHold {
  if (decided === undefined) return hold;
  if (decided.byHand) {
    return hold.reason === "by-hand" && hold.expiresBootMs === byHandEndMs
      ? hold
      : { ...hold, reason: "by-hand", text: "by hand", expiresBootMs: byHandEndMs };
  }
  if (hold.reason !== "by-hand") return hold;
  const reason = markers.includes("critical_load") ? "crit" : "max";
  return { ...hold, reason, text: "by hand, and then by the load", expiresBootMs: undefined };
}
