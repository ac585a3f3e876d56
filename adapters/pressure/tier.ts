/** A web tier that can be scaled, whatever starts and stops its instances. */

import type { ScaleOutcome } from "../../mod/pressure/sample.ts";
import { deadlineOf } from "../deadline.ts";

/** What became of one scaling. */
export type TierOutcome = Omit<ScaleOutcome, "action">;

/**
 * Scales by one instance. What fails is an outcome that is not done; it rejects where it cannot be found out what
 * there is, and then nothing was done. Every wait has a deadline.
 */
export interface Tier {
  /** @param signal Aborts where the agent ends: then nothing more is begun, and what has been begun goes on */
  readonly scaleOut: (signal: AbortSignal) => Promise<TierOutcome>;
  /** @param signal As for `scaleOut` */
  readonly scaleIn: (signal: AbortSignal) => Promise<TierOutcome>;
}

/**
 * How long a drain, and the stop that follows, may take each: what visitors wait for takes a minute at most on most
 * sites. A stop that takes longer goes on, and the tier is not touched before it has ended.
 */
export const DRAIN_MS = 120_000;

/** How often is looked whether an instance answers. */
export const POLL_MS = 500;

/** A scrape that takes longer is none. */
const ANSWER_MS = 2_000;

/** What somebody says of an instance; undefined where that fails or takes too long. Never rejects. */
export async function maybeSaid(ask: () => Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await deadlineOf(ANSWER_MS, ask());
  } catch {
    return undefined;
  }
}
