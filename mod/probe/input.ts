/** All that one look of the probe knows. */

import type { CheckId, CheckResult } from "./check.ts";

/** What a person asked for: the host out, or the host in whatever the checks say. */
export interface ProbeByHand {
  readonly wants: "drain" | "undrain";
  /** When it ends by itself, monotonic; undefined is when somebody says so. */
  readonly untilMs: number | undefined;
  /** Why, for people, one line; may be empty. */
  readonly why: string;
}

/** One look. Times are monotonic, so that a clock set back or forward changes no verdict. */
export interface ProbeInput {
  readonly monotonicMs: number;
  /** What was seen. A check that is wanted and not here is unknown. */
  readonly results: ReadonlyMap<CheckId, CheckResult>;
  /** The web is down because the ladder or a person paused it. */
  readonly webPaused: boolean;
  /** As many of the peers as may be are out already: this host stays in, however ill it is. */
  readonly drainLimitReached: boolean;
  readonly byHand: ProbeByHand | undefined;
}
