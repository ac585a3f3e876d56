/** What is done about a decision. The audit and the armed agent differ in their executor alone. */

import type { ActionName, Decision } from "../mod/ladder/decision.ts";

/** What became of one action. */
export interface Outcome {
  readonly action: ActionName;
  /** For people, one line. */
  readonly text: string;
}

/** Carries out the actions of a decision, in their order. Never throws: what failed is an outcome. */
export type Executor = (decision: Decision) => Promise<readonly Outcome[]>;
