/** The last verdict as an outlet has it: with its age, because the loop that makes it may have stopped. */

import type { ProbeVerdict } from "../verdict.ts";

/** A verdict older than this many ticks is no answer any more. */
const STALE_TICKS = 3;

/** What an outlet publishes. */
export interface Published {
  /** Undefined before the first look. */
  readonly verdict: ProbeVerdict | undefined;
  /** How long ago it was made. */
  readonly ageMs: number;
  /** From one look to the next. */
  readonly tickMs: number;
  /** Crawlers are turned away at the moment: the host asks for less. */
  readonly crawlerBlock: boolean;
}

/** Whether there is a verdict that still holds. */
export function freshVerdict({ verdict, ageMs, tickMs }: Published): ProbeVerdict | undefined {
  return ageMs > STALE_TICKS * tickMs ? undefined : verdict;
}
