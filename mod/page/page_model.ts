/**
 * All that the status page shows, as one value: what `/status.json` gives to programs, and what the page is drawn from.
 *
 * Times are ISO 8601 in UTC, lengths of time milliseconds, loads percent of the CPUs. Null is not known, or not there.
 */

import type { ActingTier } from "../ladder/tier.ts";
import type { Explanation } from "../report/explanation.ts";
import type { TableText } from "../report/pressure_table.ts";
import type { CheckStanding } from "./check_standing.ts";

/** A threshold, and what is done above it, or below it for the resume level. */
export interface PageThreshold {
  readonly name: "SPIDER" | "MAX" | "CRIT" | "resume";
  readonly percent: number;
  /** As load average on this host. */
  readonly load: number | null;
  readonly effect: string;
}

/** A pause of the web. */
export interface PageHold {
  /** `web paused for 4 m 12 s`. */
  readonly headline: string;
  readonly reason: "max" | "crit" | "by-hand" | null;
  readonly text: string;
  readonly since: string | null;
  readonly services: readonly string[];
  /** What it waits for; null is a person. */
  readonly waitsFor: string | null;
  /** When it ends by itself; null is at no set time. */
  readonly ends: string | null;
  readonly endsInMs: number | null;
}

/** A check of the probe. */
export interface PageCheck {
  readonly name: string;
  readonly isSite: boolean;
  readonly standing: CheckStanding;
  readonly evidence: string;
  /** What it may do when it fails. */
  readonly action: "warn" | "drain";
  readonly since: string | null;
  readonly sinceMs: number | null;
}

/** The verdict of the probe. */
export interface PageProbe {
  readonly phase: "starting" | "in" | "drained";
  readonly reason: string;
  readonly reasonText: string;
  readonly text: string;
  readonly since: string;
  readonly sinceMs: number;
  readonly lookedAgoMs: number;
  /** Sites first. */
  readonly checks: readonly PageCheck[];
}

/** A component of pressure, from the lowest to the highest that it can be. */
export interface PageComponent {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly isKnown: boolean;
}

/** What was found of pressure last. */
export interface PagePressure {
  readonly class: string;
  readonly found: readonly string[];
  readonly advice: string | null;
  readonly action: string;
  readonly because: string;
  readonly mode: string;
  /** What the rest comes to; the tier is saturated above `scaleOutAbove`. */
  readonly score: PageComponent;
  readonly components: readonly PageComponent[];
  readonly scaleOutAbove: number;
  readonly scaleInBelow: number;
  readonly tier: string;
  readonly host: string;
  readonly instances: TableText;
  readonly apps: TableText;
  readonly evaluated: string;
  readonly agoMs: number;
}

/** Evaluations that came out the same, one after the other. */
export interface PageEvaluation extends Omit<Explanation, "wallMs"> {
  /** When the last of them was. */
  readonly ts: string;
  readonly since: string;
  readonly count: number;
}

/** Something that was done or went wrong. */
export interface PageEvent {
  readonly ts: string;
  readonly text: string;
}

/** The load of ten seconds: its peaks. */
export interface PageLoad {
  readonly agoMs: number;
  readonly load1Percent: number | null;
  readonly load5Percent: number | null;
  readonly isHeld: boolean;
}

/** The page. */
export interface PageModel {
  readonly format: 1;
  readonly version: string;
  readonly host: string;
  readonly pid: number | null;
  readonly started: string | null;
  readonly now: string;
  /** The last pass; null before the first one. */
  readonly pass: {
    readonly ts: string;
    readonly agoMs: number;
    /** The next one is long overdue: the agent hangs, and guards nothing. */
    readonly isLate: boolean;
  } | null;
  readonly tier: ActingTier | "normal" | "unknown";
  readonly posture: string;
  readonly outlook: readonly string[];
  readonly cpuCount: number | null;
  readonly load1Percent: number | null;
  readonly load5Percent: number | null;
  readonly hold: PageHold | null;
  readonly crawlersBlocked: boolean;
  readonly markers: readonly string[];
  /** The load at which a hold was given up as no help. */
  readonly futileAtPercent: number | null;
  readonly history: {
    readonly lengthMs: number;
    /** Loads this far apart are of one course; further apart nothing is known in between. */
    readonly gapMs: number;
    readonly loads: readonly PageLoad[];
  };
  readonly probe: PageProbe | null;
  readonly isPressureWatched: boolean;
  readonly pressure: PagePressure | null;
  /** The newest first. */
  readonly recent: readonly PageEvaluation[];
  /** The newest first. */
  readonly actions: readonly PageEvent[];
  /** The newest first. */
  readonly errors: readonly PageEvent[];
  readonly thresholds: readonly PageThreshold[];
  readonly mode: {
    readonly intervalMs: number;
    readonly recheckMs: number;
    readonly maxHoldMs: number;
    readonly onMaxHold: "resume" | "alert";
    readonly witness: "advise" | "require";
    readonly drasticAllowed: boolean;
    readonly source: string;
  };
}
