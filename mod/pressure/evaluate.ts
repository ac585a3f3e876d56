/** One evaluation: from the figures of a window to components, class and action, with the reason. */

import type { Aggregates } from "./aggregates.ts";
import { classify, type PressureClass } from "./classes.ts";
import { type Components, componentsOf } from "./components.ts";
import type { Because } from "./reasons.ts";
import type { PressureThresholds } from "./rules.ts";
import { type ScaleAction, scalingOf } from "./scale.ts";

/** What an evaluation gives. */
export interface Evaluation extends Components {
  readonly class: PressureClass;
  /** Applications that are saturated besides. */
  readonly also: readonly PressureClass[];
  readonly action: ScaleAction;
  /** What would be done, were the tier not only watched. */
  readonly wouldBe: ScaleAction;
  readonly from: number;
  readonly to: number;
  readonly projected: number | undefined;
  /** Why it was or was not acted on. */
  readonly because: Because;
  /** Why it is of this class. */
  readonly classBecause: Because;
  /** Whether the tier is idle. */
  readonly isIdle: boolean;
}

/** Evaluates. Never throws: the same figures give the same evaluation, live and in a replay. */
export function evaluate(input: Aggregates, thresholds: PressureThresholds): Evaluation {
  const parts = componentsOf(input, thresholds);
  const found = classify(input, parts, thresholds);
  const { action, to, projected, because, wouldBe } = scalingOf(input, parts, found, thresholds);
  return {
    ...parts,
    class: found.class,
    also: found.also,
    action,
    wouldBe,
    from: input.instances,
    to,
    projected,
    because,
    classBecause: found.because,
    isIdle: found.isIdle,
  };
}
