/**
 * `/proc/loadavg`: how many tasks ran, waited for a CPU or slept uninterruptibly, averaged over 1, 5 and 15
 * minutes.
 *
 *     13.42 9.10 5.02 11/268 52107
 *
 * @see https://www.kernel.org/doc/html/latest/filesystems/proc.html#kernel-data
 */

import { ParseError, quote } from "../errors.ts";

/**
 * The figures of one `/proc/loadavg`. Loads are whole hundredths, exactly the two decimals that the kernel
 * prints.
 */
export interface Loadavg {
  /** Load of the last minute times 100: 42.01 is 4201. */
  readonly load1Hundredths: number;
  /** Load of the last 5 minutes times 100. */
  readonly load5Hundredths: number;
  /** Load of the last 15 minutes times 100. */
  readonly load15Hundredths: number;
  /** Tasks (threads) that run or wait for a CPU right now. 0 in containers that do not count them. */
  readonly runnableTasks: number;
  /** All tasks (threads). 0 in containers that do not count them. */
  readonly totalTasks: number;
  /**
   * The process id given out last. It moves with every fork, so a standing one is a sign of a frozen file.
   */
  readonly lastPid: number;
  /** The line as it was read, trimmed, to tell a frozen file from an even load. */
  readonly line: string;
}

/**
 * Linux's upper limit of process and thread ids (PID_MAX_LIMIT on 64 bits). No count of tasks, and so no
 * load, can be higher; a figure above it is a damaged text. The highest load reported from a real host is
 * about 3 446.
 */
const TASK_LIMIT = 4_194_304;

const LINE = /^(\d{1,7})\.(\d\d) (\d{1,7})\.(\d\d) (\d{1,7})\.(\d\d) (\d{1,7})\/(\d{1,7}) (\d{1,7})$/;

/**
 * Reads `/proc/loadavg` without going through a binary fraction.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the text is not one line of three loads with two decimals, `runnable/total` and the
 * last process id, or if a figure is above {@linkcode TASK_LIMIT}
 */
export function parseLoadavg(text: string, source = "/proc/loadavg"): Loadavg {
  const line = text.trim();
  const match = LINE.exec(line);
  if (match === null) {
    throw new ParseError(source, `is ${quote(line)}, expected a line like "0.42 0.31 0.27 1/214 48211"`);
  }
  const loadavg = {
    load1Hundredths: Number(match[1]) * 100 + Number(match[2]),
    load5Hundredths: Number(match[3]) * 100 + Number(match[4]),
    load15Hundredths: Number(match[5]) * 100 + Number(match[6]),
    runnableTasks: Number(match[7]),
    totalTasks: Number(match[8]),
    lastPid: Number(match[9]),
    line,
  };
  const highest = Math.max(
    loadavg.load1Hundredths / 100,
    loadavg.load5Hundredths / 100,
    loadavg.load15Hundredths / 100,
    loadavg.runnableTasks,
    loadavg.totalTasks,
    loadavg.lastPid,
  );
  if (highest > TASK_LIMIT) {
    throw new ParseError(source, `is ${quote(line)}, expected no figure above ${TASK_LIMIT}`);
  }
  return loadavg;
}
