/** When a pause ends by itself. */

import type { LadderRules } from "../ladder/rules.ts";
import type { LedgerHold } from "./ledger.ts";

/**
 * The end of a pause in milliseconds since boot, whatever the load; undefined when only a person or the load ends it.
 */
export function endOfHold(
  { reason, sinceBootMs, expiresBootMs }: Pick<LedgerHold, "reason" | "sinceBootMs" | "expiresBootMs">,
  { maxHoldMs, onMaxHold }: Pick<LadderRules, "maxHoldMs" | "onMaxHold">,
): number | undefined {
  if (reason === "by-hand") return expiresBootMs;
  return maxHoldMs === 0 || onMaxHold === "alert" ? undefined : sinceBootMs + maxHoldMs;
}
