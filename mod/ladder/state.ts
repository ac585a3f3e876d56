/** What the ladder remembers from one evaluation to the next. A plain value: it can be written down and read back. */

import type { LineWatch } from "./frozen.ts";
import type { ActingTier } from "./tier.ts";

/** The tier markers, in the order in which they are reported. */
export const MARKERS = ["critical_load", "max_load", "normal_load", "spider_load"] as const;

/** Name of a marker: `max_load` becomes the file `max_load.pid`, which other watchdogs read. */
export type Marker = typeof MARKERS[number];

/** A pause of the web. */
export interface Hold {
  readonly sinceMs: number;
  /** Whether its deadline has been reported already. */
  readonly overdueReported: boolean;
  /** It was asked for by hand, and ends when that does. */
  readonly byHand: boolean;
  /** A part of it runs, started by someone else or never stopped: only a newly confirmed MAX or CRIT pauses that. */
  readonly partlyStarted: boolean;
}

/** State of the ladder; times are monotonic milliseconds. */
export interface LadderState {
  /** When the next evaluation is due; the first sample at or after it is the one used. */
  readonly nextDueMs: number;
  /** The tier whose re-check that will be; undefined when it is an ordinary pass. */
  readonly pending: ActingTier | undefined;
  /** Markers present, in the order of {@linkcode MARKERS}. */
  readonly markers: readonly Marker[];
  readonly crawlerBlock: boolean;
  /** The web is paused. */
  readonly hold: Hold | undefined;
  /** The higher load, in percent, at which a hold was given up as no help; undefined outside such a phase. */
  readonly futileAtPercent: number | undefined;
  /** When the load was last readable; undefined before that. */
  readonly lastValidMs: number | undefined;
  readonly lineWatch: LineWatch | undefined;
}

/** The state of an agent that has not looked yet: nothing marked, nothing held, due at once. */
export const INITIAL_STATE: LadderState = {
  nextDueMs: -Infinity,
  pending: undefined,
  markers: [],
  crawlerBlock: false,
  hold: undefined,
  futileAtPercent: undefined,
  lastValidMs: undefined,
  lineWatch: undefined,
};

/** Whether a marker of MAX or CRIT keeps the web from being given back. */
export function isLatched(markers: LadderState["markers"]): boolean {
  return markers.includes("critical_load") || markers.includes("max_load");
}

/** The markers with one more; the same array when it is there already. */
export function withMarker(markers: LadderState["markers"], marker: Marker): LadderState["markers"] {
  if (markers.includes(marker)) return markers;
  return MARKERS.filter((known) => known === marker || markers.includes(known));
}

/** The markers without one; the same array when it is not there. */
export function withoutMarker(markers: LadderState["markers"], marker: Marker): LadderState["markers"] {
  return markers.includes(marker) ? markers.filter((present) => present !== marker) : markers;
}

/** The markers with one in place of another; the same array when that is so already. */
export function swapMarker(
  markers: LadderState["markers"],
  stale: Marker,
  present: Marker,
): LadderState["markers"] {
  if (markers.includes(present) && !markers.includes(stale)) return markers;
  return withMarker(withoutMarker(markers, stale), present);
}

/** Whether an evaluation is due at this time. */
export function isDue(state: LadderState, monotonicMs: number): boolean {
  return monotonicMs >= state.nextDueMs;
}
