/**
 * `/proc/<pid>/limits`: what a process may use at most. Taken from it is how many files it may have open.
 *
 *     Limit                     Soft Limit           Hard Limit           Units
 *     Max open files            1024                 524288               files
 *
 * The soft limit counts: at it, `open` and `accept` fail.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html
 */

import { ParseError, quote } from "../errors.ts";

/** What is taken of one `/proc/<pid>/limits`. */
export interface PidLimits {
  /** Soft limit of open files. */
  readonly openFilesSoftCount: number | "unlimited";
}

const NAME = "Max open files";

const ROW = /^ +(\d{1,20}|unlimited) +(?:\d{1,20}|unlimited) +files *$/;

/**
 * Reads `/proc/<pid>/limits`.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If there is no row `Max open files`, or if it holds no two limits and `files`
 */
export function parsePidLimits(text: string, source = "/proc/<pid>/limits"): PidLimits {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.startsWith(NAME));
  const row = lines[at]?.slice(NAME.length);
  if (row === undefined) throw new ParseError(source, `has no row "${NAME}", expected one`);
  const soft = ROW.exec(row)?.[1];
  if (soft === undefined) {
    throw new ParseError(source, `${NAME} is ${quote(row.trim())}, expected two limits and "files"`, at + 1);
  }
  return { openFilesSoftCount: Number.isSafeInteger(Number(soft)) ? Number(soft) : "unlimited" };
}
