/**
 * The list of processes that were stopped with SIGSTOP on their way to an end. It is written before the first is stopped,
 * so that whoever starts next, or gets a signal through at last, leaves none of them stopped with its locks.
 *
 * ```json
 * {
 *   "version": 1,
 *   "bootId": "6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab",
 *   "processes": [{"pid": 4120, "startTicks": 1893321, "wanted": "end", "sinceBootMs": 18933900}]
 * }
 * ```
 *
 * @see https://man7.org/linux/man-pages/man7/signal.7.html
 */

import { parseJsonObject } from "../json_object.ts";

/** What is to become of a stopped process: it was chosen to end, or got into it by its pid alone and is to go on. */
export const WANTED = ["end", "go-on"] as const;

/** A process that may be stopped. */
export interface StoppedProcess {
  readonly pid: number;
  /** Field 22 of its `stat`: with the pid it names one process for as long as the host is up. */
  readonly startTicks: number;
  readonly wanted: typeof WANTED[number];
  /** When it was written down, in milliseconds since boot. */
  readonly sinceBootMs: number;
}

/** The list, and the boot that it is of. */
export interface StopListText {
  readonly bootId: string;
  readonly processes: readonly StoppedProcess[];
}

/** The one version of the format so far. */
const STOP_LIST_VERSION = 1;

const KEYS = {
  list: ["version", "bootId", "processes"],
  process: ["pid", "startTicks", "wanted", "sinceBootMs"],
} as const;

/**
 * A signal that was on its way when its sender was killed arrives within this, also on a host that is overloaded. What is
 * stopped later was stopped by somebody else.
 */
const LATE_STOP_MS = 120_000;

/** The list as text. Never throws. */
export function renderStopList({ bootId, processes }: StopListText): string {
  return `${JSON.stringify({ version: STOP_LIST_VERSION, bootId, processes }, undefined, 2)}\n`;
}

/**
 * Reads the list.
 *
 * @param source Where the text is from, for errors
 * @throws {ParseError} If it is cut short, of another version, or a member is missing, unknown or of the wrong kind
 */
export function parseStopList(text: string, source: string): StopListText {
  const list = parseJsonObject(text, source, KEYS.list);
  if (list.count("version") !== STOP_LIST_VERSION) list.refuse("version", `${STOP_LIST_VERSION}`);
  return {
    bootId: list.text("bootId"),
    processes: list.objects("processes", KEYS.process).map((process) => ({
      pid: process.count("pid"),
      startTicks: process.count("startTicks"),
      wanted: process.word("wanted", WANTED),
      sinceBootMs: process.count("sinceBootMs"),
    })),
  };
}

/** What to do about a process of the list. */
export type NextStep = "end" | "continue" | "wait" | "forget";

/**
 * What to do about a process of the list. Only one that is stopped is ended or goes on: one that runs is nobody's to end
 * any more, but a stop may still be on its way to it. Never throws.
 *
 * @param state The letter of its `stat`; undefined when it has ended, or another one has its pid
 * @param nowBootMs Milliseconds since boot
 */
export function nextStepOf(
  { wanted, sinceBootMs }: StoppedProcess,
  state: string | undefined,
  nowBootMs: number,
): NextStep {
  if (state === undefined) return "forget";
  if (state === "T") return wanted === "end" ? "end" : "continue";
  // One that waits for a disk takes the stop once that has answered.
  return state === "D" || nowBootMs - sinceBootMs < LATE_STOP_MS ? "wait" : "forget";
}
