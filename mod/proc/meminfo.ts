/**
 * `/proc/meminfo`: memory and swap of the host, in KiB (the file says kB and means 1024 bytes).
 *
 *     MemTotal:       16384000 kB
 *     MemFree:         2048000 kB
 *     MemAvailable:   10240000 kB
 *     SwapTotal:             0 kB
 *     SwapFree:              0 kB
 *
 * @see https://www.kernel.org/doc/html/latest/filesystems/proc.html#meminfo
 */

import { ParseError, quote } from "../errors.ts";

/** The figures of one `/proc/meminfo`, in KiB. A line that is not there is undefined, never 0. */
export interface Meminfo {
  /** Usable RAM, more than 0. */
  readonly totalKib: number;
  /**
   * RAM that new programs could have without swapping. Undefined before Linux 3.14; free memory is no
   * stand-in.
   */
  readonly availableKib: number | undefined;
  /** RAM that nothing uses, not even as cache. */
  readonly freeKib: number | undefined;
  /** Size of all swap areas. 0 on a host without swap. */
  readonly swapTotalKib: number | undefined;
  /** Unused swap. */
  readonly swapFreeKib: number | undefined;
}

/**
 * Reads `/proc/meminfo`, in any order of lines and with any other lines between.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If `MemTotal` is missing or 0, or if one of the five lines does not hold a whole
 * number and `kB`
 */
export function parseMeminfo(text: string, source = "/proc/meminfo"): Meminfo {
  const lines = text.split("\n");
  const totalKib = maybeKib(lines, "MemTotal", source);
  if (totalKib === undefined || totalKib === 0) {
    const seen = totalKib === undefined ? "is missing" : "is 0 kB";
    throw new ParseError(source, `MemTotal ${seen}, expected the size of the memory`);
  }
  return {
    totalKib,
    availableKib: maybeKib(lines, "MemAvailable", source),
    freeKib: maybeKib(lines, "MemFree", source),
    swapTotalKib: maybeKib(lines, "SwapTotal", source),
    swapFreeKib: maybeKib(lines, "SwapFree", source),
  };
}

/** The figure on the line of a key, or undefined if there is no such line. */
function maybeKib(lines: readonly string[], key: string, source: string): number | undefined {
  const index = lines.findIndex((line) => line.startsWith(`${key}:`));
  const value = lines[index]?.slice(key.length + 1).trim();
  if (value === undefined) return undefined;
  const digits = /^(\d{1,15}) kB$/.exec(value)?.[1];
  if (digits === undefined) {
    throw new ParseError(source, `${key} is ${quote(value)}, expected a whole number and "kB"`, index + 1);
  }
  return Number(digits);
}
