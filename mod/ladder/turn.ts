/** An evaluation in the making: what the rules of the ladder read and change until the decision is made. */

import type { ActionName, Alert, Reason } from "./decision.ts";
import { type Hold, type LadderState, type Marker, withoutMarker } from "./state.ts";
import type { ActingTier } from "./tier.ts";
import type { Witness } from "./witness.ts";

/** The part of the state that the rules change, and what they want. */
export interface Turn {
  readonly actions: ActionName[];
  readonly alerts: Alert[];
  markers: readonly Marker[];
  crawlerBlock: boolean;
  hold: Hold | undefined;
  futileAtPercent: number | undefined;
  pending: ActingTier | undefined;
  reason: Reason;
  confirmed: boolean;
  witness: Witness | undefined;
}

/** A turn in which nothing has been decided yet. */
export function beginTurn(state: LadderState): Turn {
  return {
    markers: state.markers,
    actions: [],
    alerts: [],
    crawlerBlock: state.crawlerBlock,
    hold: state.hold,
    futileAtPercent: state.futileAtPercent,
    pending: undefined,
    reason: "below-spider",
    confirmed: false,
    witness: undefined,
  };
}

/** Drops the markers of MAX and CRIT. */
export function dropLatch(turn: Turn): void {
  turn.markers = withoutMarker(withoutMarker(turn.markers, "critical_load"), "max_load");
}

/** Ends a hold: the web is wanted up. */
export function giveBack(turn: Turn, reason: Reason): void {
  turn.hold = undefined;
  turn.actions.push("resume-web");
  turn.reason = reason;
}
