/** All that one pass of the ladder knows about the host. */

import type { Reading } from "../reading.ts";

/** Load and CPUs at one moment, both of the same look. */
export interface LoadSample {
  /** 1-minute load average in hundredths. */
  readonly load1Hundredths: number;
  /** 5-minute load average in hundredths. */
  readonly load5Hundredths: number;
  /** CPUs online, >= 1. */
  readonly cpuCount: number;
  /** The whole line of `/proc/loadavg`, which tells a steady load from a frozen file; absent without a proc root. */
  readonly line?: string | undefined;
  /** Share of CPU time since the sample before that was neither idle nor waiting for the disk, 0 to 1. */
  readonly cpuBusyRatio?: number | undefined;
}

/** What a drastic tier must know before it acts; taken only when its re-check is due. */
export interface GateReadings {
  /** Backups that run now, each as a name for people; empty when none does. */
  readonly backups: Reading<readonly string[]>;
  /** Share of CPU time that waited for the disk over 0.2 s, in percent with one decimal. */
  readonly iowaitPercent: Reading<number>;
  /** Tasks on a CPU or waiting for one, without the reader itself. */
  readonly runnableTasks: Reading<number>;
  /** PSI `some avg10` of the CPU in percent: how long tasks waited for a CPU. */
  readonly psiCpuPercent: Reading<number>;
  /** PSI `some avg10` of the disk in percent. */
  readonly psiIoPercent: Reading<number>;
}

/** What a person asked for by hand, while it lasts: the web paused, or the web up whatever the load. */
export const BY_HAND = ["hold", "resume"] as const;

/** One of {@linkcode BY_HAND}. */
export type ByHand = typeof BY_HAND[number];

/**
 * What became of a pause, looked at during a hold: as it was left; partly or wholly started by someone else; not all of it
 * stopped yet, because something does not end; nothing of it stopped, because the pause could not begin.
 */
export const HELD_WEB = ["stopped", "partly-started", "running", "partly-stopped", "not-stopped"] as const;

/** One of {@linkcode HELD_WEB}. */
export type HeldWeb = typeof HELD_WEB[number];

/** One sample. Times are monotonic, so that a clock set back or forward changes no decision. */
export interface Sample {
  readonly monotonicMs: number;
  /** Wall clock, for people only. */
  readonly wallMs: number;
  readonly load: Reading<LoadSample>;
  /** Present while something was asked for by hand. */
  readonly byHand?: ByHand | undefined;
  /** Present when a hold was looked at. */
  readonly heldWeb?: HeldWeb | undefined;
  /** Present when the pass before asked for it. */
  readonly gate?: GateReadings | undefined;
}
