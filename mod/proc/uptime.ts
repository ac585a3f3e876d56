/**
 * `/proc/uptime`: how long the host has been up, suspended time included, and how long its CPUs were idle together.
 *
 *     350735.47 234388.90
 *
 * @see https://www.kernel.org/doc/html/latest/filesystems/proc.html#kernel-data
 */

import { ParseError, quote } from "../errors.ts";

/**
 * Reads `/proc/uptime`.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @returns Milliseconds since boot, whole
 * @throws {ParseError} If the text does not begin with seconds with two decimals
 */
export function parseUptime(text: string, source = "/proc/uptime"): number {
  const match = /^(\d{1,12})\.(\d\d) /.exec(text);
  if (match === null) {
    throw new ParseError(source, `is ${quote(text.trim())}, expected "350735.47 234388.90"`);
  }
  return Number(match[1]) * 1000 + Number(match[2]) * 10;
}
