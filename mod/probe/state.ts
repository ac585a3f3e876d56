/** What the probe remembers from one look to the next. A plain value: it can be written down and read back. */

import type { CheckId } from "./check.ts";
import type { Streak } from "./streak.ts";

/** Why the host is out by itself: checks failed, the web was paused on purpose, or a person wanted it. */
export type DrainCause = "checks" | "web-paused" | "by-hand";

/**
 * Where the host stands, apart from what a person asks for at the moment: starting is before anything has
 * shown that it serves; it is not taken out, and not called ready either.
 */
export type Standing =
  | { readonly phase: "starting"; readonly sinceMs: number }
  | { readonly phase: "in"; readonly sinceMs: number }
  | {
    readonly phase: "drained";
    readonly sinceMs: number;
    readonly cause: DrainCause;
    /** It does not come back before. */
    readonly holdUntilMs: number;
  };

/** State of the probe; times are monotonic milliseconds. */
export interface ProbeState {
  /** Undefined before the first look. */
  readonly standing: Standing | undefined;
  /** What was said last, which a person's wish can make another than where the host stands. */
  readonly said: { readonly phase: Standing["phase"]; readonly sinceMs: number } | undefined;
  /** When checks took the host out, of late. */
  readonly drainedAtMs: readonly number[];
  readonly streaks: ReadonlyMap<CheckId, Streak>;
  /** When something was known of each check last. */
  readonly knownAtMs: ReadonlyMap<CheckId, number>;
  /** Keys of the sites that have passed, in this run of the agent or one before. */
  readonly provenSites: ReadonlySet<string>;
  /** When it was looked last; undefined before. */
  readonly lookedMs: number | undefined;
}

/** The state of a probe that has not looked yet. */
export const INITIAL_PROBE_STATE: ProbeState = {
  standing: undefined,
  said: undefined,
  drainedAtMs: [],
  streaks: new Map(),
  knownAtMs: new Map(),
  provenSites: new Set(),
  lookedMs: undefined,
};
