/** When a pass is so late that the agent hangs, or is gone. */

import type { LadderRules } from "../ladder/rules.ts";

/** So much later than due a pass is one that does not come: a slow disk may delay the ledger for seconds. */
export const LATE_MS = 10_000;

/** Whether an agent whose last pass is so long ago still looks at its host. Never throws. */
export function isAtWork(
  passAgoMs: number,
  { intervalMs, recheckMs }: Pick<LadderRules, "intervalMs" | "recheckMs">,
): boolean {
  return passAgoMs < 2 * Math.max(intervalMs, recheckMs) + LATE_MS;
}
