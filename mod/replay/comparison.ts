/** Holds a replay against what was decided when its samples were taken. */

import type { Decision } from "../ladder/decision.ts";
import { decidedOf, type DecidedRecord } from "./decision_record.ts";

/** A decision that came out otherwise. */
export interface Difference {
  /** Of the trace, from 1. */
  readonly lineNumber: number;
  readonly then: DecidedRecord;
  readonly now: DecidedRecord;
}

/** How a replay compares. */
export interface Comparison {
  /** Decisions of which the trace says how they were. */
  readonly count: number;
  readonly differing: number;
  readonly first: Difference | undefined;
}

/** Compares decisions as they come. */
export interface Comparing {
  readonly add: (lineNumber: number, then: DecidedRecord, now: Decision) => void;
  readonly comparison: () => Comparison;
}

/** Begins a comparison; its memory does not grow. */
export function beginComparison(): Comparing {
  let count = 0;
  let differing = 0;
  let first: Difference | undefined;
  return {
    add(lineNumber: number, then: DecidedRecord, decision: Decision): void {
      count += 1;
      const now = decidedOf(decision);
      if (textOf(then) === textOf(now)) return;
      differing += 1;
      first ??= { lineNumber, then, now };
    },
    comparison: () => ({ count, differing, first }),
  };
}

/** For people and to compare by: `recheck max: pause-web (confirmed)`. */
export function textOf({ phase, tier, actions, alerts, reason }: DecidedRecord): string {
  return `${phase} ${tier}: ${[...actions, ...alerts].join(" ") || "nothing"} (${reason})`;
}
