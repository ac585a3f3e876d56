/** How many evaluations came out how: by class, action and reason. */

import type { Evaluation } from "./evaluate.ts";
import type { PressureClass } from "./classes.ts";
import type { PressureReason } from "./reasons.ts";
import type { ScaleAction } from "./scale.ts";

/** One row. */
export interface PressureCount {
  readonly class: PressureClass;
  readonly action: ScaleAction;
  readonly reason: PressureReason;
  readonly count: number;
}

/** The rows with one more evaluation, in the order in which each was first seen. Never throws. */
export function countEvaluation(
  rows: readonly PressureCount[],
  { class: name, action, because }: Pick<Evaluation, "class" | "action" | "because">,
): readonly PressureCount[] {
  const reason = because.code;
  const isRow = (row: PressureCount): boolean =>
    row.class === name && row.action === action && row.reason === reason;
  if (!rows.some(isRow)) return [...rows, { class: name, action, reason, count: 1 }];
  return rows.map((row) => isRow(row) ? { ...row, count: row.count + 1 } : row);
}
