/**
 * The output of `vmstat -n 1 2`: what the CPUs did in one second, for a host whose `/proc/stat` may not be
 * read.
 *
 *     procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 *      r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 *      3  0      0 612040  48812 902116    0    0   833  1123  141  283  4  4 92  0  0
 *     11  1      0 598212  48812 902340    0    0     4   312 2210 3904 81 15  3  1  0
 *
 * The first row is the average since boot; the second one is the second that was measured. Newer versions
 * have more columns.
 *
 * @see https://man7.org/linux/man-pages/man8/vmstat.8.html
 */

import { ParseError, quote } from "../errors.ts";

/** What vmstat saw in its last second. */
export interface Vmstat {
  /** Tasks that run or wait for a CPU. */
  readonly runnableTasks: number;
  /** Tasks that wait for a disk. */
  readonly blockedTasks: number;
  /**
   * Share of the time that was ours in which CPUs worked, 0 to 1, steal on neither side. Undefined if none
   * was ours.
   */
  readonly busyRatio: number | undefined;
  /** Share of the time in which CPUs were idle with a task waiting for a disk, in whole percent, 0 to 100. */
  readonly iowaitPercent: number;
}

/**
 * Reads the last row of `vmstat -n 1 2`, each column by its name.
 *
 * @param text What the command printed, with `LC_ALL=C`
 * @param source The command, for errors
 * @throws {ParseError} If the line with the column names or the second row is missing, if the row has another
 * number of columns, or if a column in use is missing, no whole number, or a share above 100
 */
export function parseVmstat(text: string, source = "vmstat -n 1 2"): Vmstat {
  const [, header, average, last] = text.split("\n");
  if (header === undefined || average === undefined || last === undefined || last.trim() === "") {
    throw new ParseError(source, `is ${quote(text)}, expected two lines of column names and two rows`);
  }
  const names = header.trim().split(/ +/);
  const cells = last.trim().split(/ +/);
  if (names.length !== cells.length) {
    throw new ParseError(source, `has ${cells.length} columns, expected ${names.length} as in the header`, 4);
  }
  const column = new Map(names.map((name, index) => [name, cells[index] ?? ""]));
  const idle = share(column, "id", source);
  const iowait = share(column, "wa", source);
  // Guest time has its own column since procps 4.0.4; before, it is inside "us".
  const guest = column.has("gu") ? share(column, "gu", source) : 0;
  const busy = share(column, "us", source) + share(column, "sy", source) + guest;
  const ours = busy + idle + iowait;
  return {
    runnableTasks: whole(column, "r", source),
    blockedTasks: whole(column, "b", source),
    busyRatio: ours === 0 ? undefined : busy / ours,
    iowaitPercent: iowait,
  };
}

function share(column: ReadonlyMap<string, string>, name: string, source: string): number {
  const percent = whole(column, name, source);
  if (percent > 100) {
    throw new ParseError(source, `column "${name}" is ${percent}, expected a share of 0 to 100`, 4);
  }
  return percent;
}

function whole(column: ReadonlyMap<string, string>, name: string, source: string): number {
  const cell = column.get(name);
  if (cell === undefined) throw new ParseError(source, `has no column "${name}"`, 2);
  if (!/^\d{1,15}$/.test(cell)) {
    throw new ParseError(source, `column "${name}" is ${quote(cell)}, expected a whole number`, 4);
  }
  return Number(cell);
}
