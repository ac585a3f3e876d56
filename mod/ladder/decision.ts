/** The outcome of one evaluation of the ladder, for people and programs. */

import type { Marker } from "./state.ts";
import type { Tier } from "./tier.ts";
import type { Witness } from "./witness.ts";

/** What the ladder wants done or says. Each is absolute: "the web is paused", never a toggle. */
export const ACTION_NAMES = [
  "recheck",
  "crawler-block-on",
  "crawler-block-off",
  "kill-runaways",
  "pause-web",
  "resume-web",
  "exempt-backup-iowait",
  "no-pause-futile",
] as const;

/** One of {@linkcode ACTION_NAMES}. */
export type ActionName = typeof ACTION_NAMES[number];

/** Why an evaluation ended as it did: a closed list, so that reasons can be counted. */
export const REASONS = {
  "load-unknown": "the load could not be read: nothing is done on a guess",
  "load-frozen": "the load average stands still while the CPUs work: it is not believed",
  "load-lost-in-hold": "the load has been unknown for a minute: the web is given back",
  "below-spider": "load is not over the SPIDER threshold",
  "below-resume": "both loads are below the resume level: the web is given back",
  "recheck-asked": "over a threshold: looked at again before anything is done",
  "spike-passed": "the load fell back before the re-check",
  "confirmed": "still over the threshold at the re-check",
  "already-done": "still over the threshold; what this tier does is done already",
  "backup-io-bound": "a backup runs and the load waits for the disk: it passes by itself",
  "no-cpu-demand": "nothing wants the CPU, and the configuration requires that something does",
  "hold-did-not-help": "a long pause did not lower the load: the web is not the cause",
  "max-hold-reached": "the pause reached its deadline",
  "held-by-hand": "the web is paused because a person asked for it",
  "given-back-by-hand": "the web is given back because a person asked for it, or a pause by hand is over",
  "kept-up-by-hand": "the web is not paused because a person asked for it",
} as const;

/** Code of a reason. */
export type Reason = keyof typeof REASONS;

/** What a person must be told. */
export type Alert = "load-lost-in-hold" | "max-hold-reached" | "web-started-in-hold";

/** One evaluation. */
export interface Decision {
  readonly monotonicMs: number;
  readonly phase: "pass" | "recheck";
  /** Tier of a pass, the tripped tier at a re-check, unknown without a load. */
  readonly tier: Tier | "unknown";
  /** The tripped tier still held at its re-check. */
  readonly confirmed: boolean;
  readonly load1Percent: number | undefined;
  readonly load5Percent: number | undefined;
  /** CPUs of the same sample. */
  readonly cpuCount: number | undefined;
  /** The threshold in percent that the tier begins above; undefined for normal and unknown. */
  readonly overPercent: number | undefined;
  readonly actions: readonly ActionName[];
  readonly reason: Reason;
  readonly alerts: readonly Alert[];
  /** Markers present afterwards. */
  readonly markers: readonly Marker[];
  /** State wanted afterwards. */
  readonly crawlerBlock: boolean;
  readonly paused: boolean;
  /** The second witness, heard where a drastic tier was confirmed. */
  readonly witness: Witness | undefined;
  /** Running backups at a drastic re-check; undefined when unknown or not looked for. */
  readonly backups: readonly string[] | undefined;
  /** Iowait share at a drastic re-check; undefined when unknown or not looked for. */
  readonly iowaitPercent: number | undefined;
}
