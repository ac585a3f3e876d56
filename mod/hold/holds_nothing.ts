/** Pauses that stopped nothing. */

import type { LedgerHold } from "./ledger.ts";

/** Whether a pause has found nothing that may be stopped: whatever serves the web goes on. Never throws. */
export function holdsNothing({ phase, services }: Pick<LedgerHold, "phase" | "services">): boolean {
  return phase === "held" && services.length === 0;
}
