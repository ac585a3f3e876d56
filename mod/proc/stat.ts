/**
 * `/proc/stat`: what the CPUs did since boot, in ticks of 1/100 s (USER_HZ), and how many CPUs are online.
 *
 *     cpu  6304 0 5434 134699 289 0 35 10 0 0
 *     cpu0 2220 0 2274 68838 36 0 6 3 0 0
 *     cpu1 4083 0 3159 65860 252 0 28 6 0 0
 *     intr 206259 0 0 0 …
 *     ctxt 409310
 *     btime 1796410231
 *     processes 12211
 *     procs_running 2
 *     procs_blocked 0
 *
 * @see https://www.kernel.org/doc/html/latest/filesystems/proc.html
 */

import { ParseError, quote } from "../errors.ts";

/**
 * Ticks of all CPUs together since boot. Columns that an older kernel does not print are 0. The guest columns
 * are left out: guest time is already inside user and nice.
 */
export interface CpuTimes {
  readonly userTicks: number;
  readonly niceTicks: number;
  readonly systemTicks: number;
  readonly idleTicks: number;
  /** Idle while a task of this CPU waited for a disk. The kernel lets it step back now and then. */
  readonly iowaitTicks: number;
  readonly irqTicks: number;
  readonly softirqTicks: number;
  /** Taken by the hypervisor for other guests. Some guest kernels let it run backwards. */
  readonly stealTicks: number;
}

/** The figures of one `/proc/stat`. */
export interface ProcStat {
  /** CPUs online: the number of `cpuN` lines, at least 1. The ids may have gaps. */
  readonly cpuCount: number;
  /** The `cpu` line, the sum over all CPUs. */
  readonly cpuTimes: CpuTimes;
  /** Time of boot, in seconds since 1970. Undefined if the file ends before it. */
  readonly bootTimeS: number | undefined;
  /** Tasks that run or wait for a CPU. Undefined if the file ends before it. */
  readonly runningTasks: number | undefined;
  /** Tasks that wait for a disk. Undefined if the file ends before it. */
  readonly blockedTasks: number | undefined;
}

/** User, nice, system and idle are as old as the file; the other columns came with Linux 2.6. */
const ALL_CPUS = /^cpu +(\d{1,20}(?: \d{1,20}){3,})$/;

/** One `cpuN` line with its line end, at `lastIndex`. */
const ONE_CPU = /cpu\d{1,7}(?: \d{1,20}){4,}\n/y;

/**
 * How the line after the `cpuN` lines starts: four letters, so that a cut `c` or `cp` is not taken for it.
 */
const AFTER_CPUS = /^(?!cpu)[a-z]{4}$/;

/**
 * Reads `/proc/stat`. A file that was cut after the `cpuN` lines is still read; one that was cut within them
 * is refused, because too few CPUs would make the load of each look higher than it is.
 *
 * The `intr` line can have 100 KB, so the text is searched, never split.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the first line is no `cpu` line with at least four whole numbers, if there is no
 * `cpuN` line, if one is damaged or the last of them, or if `btime`, `procs_running` or `procs_blocked` is no
 * whole number
 */
export function parseProcStat(text: string, source = "/proc/stat"): ProcStat {
  const lineEnd = text.indexOf("\n");
  const line = text.slice(0, lineEnd === -1 ? text.length : lineEnd);
  const columns = ALL_CPUS.exec(line)?.[1]?.split(" ");
  if (columns === undefined) {
    throw new ParseError(
      source,
      `is ${quote(line)}, expected "cpu" and ticks, as "cpu  6304 0 5434 134699"`,
      1,
    );
  }
  return {
    cpuCount: countCpus(text, line.length + 1, source),
    cpuTimes: {
      userTicks: Number(columns[0]),
      niceTicks: Number(columns[1]),
      systemTicks: Number(columns[2]),
      idleTicks: Number(columns[3]),
      iowaitTicks: Number(columns[4] ?? 0),
      irqTicks: Number(columns[5] ?? 0),
      softirqTicks: Number(columns[6] ?? 0),
      stealTicks: Number(columns[7] ?? 0),
    },
    bootTimeS: maybeNumber(text, "btime", source),
    runningTasks: maybeNumber(text, "procs_running", source),
    blockedTasks: maybeNumber(text, "procs_blocked", source),
  };
}

/** Counts the `cpuN` lines from `start` on. */
function countCpus(text: string, start: number, source: string): number {
  let cpuCount = 0;
  let at = start;
  ONE_CPU.lastIndex = at;
  while (ONE_CPU.test(text)) {
    cpuCount++;
    at = ONE_CPU.lastIndex;
  }
  if (!AFTER_CPUS.test(text.slice(at, at + 4))) {
    const line = text.slice(at).split("\n", 1)[0] ?? "";
    throw new ParseError(
      source,
      line === ""
        ? `ends after the cpu lines, expected "intr" next`
        : `is ${quote(line)}, expected cpuN and ticks`,
      cpuCount + 2,
    );
  }
  if (cpuCount === 0) {
    throw new ParseError(source, `has no cpuN line, expected one for each CPU online`);
  }
  return cpuCount;
}

/** The number on the line of a key, or undefined if there is no such line or the file was cut within it. */
function maybeNumber(text: string, key: string, source: string): number | undefined {
  const start = text.indexOf(`\n${key} `);
  const end = text.indexOf("\n", start + 1);
  if (start === -1 || end === -1) return undefined;
  const digits = text.slice(start + key.length + 2, end);
  if (!/^\d{1,15}$/.test(digits)) {
    throw new ParseError(source, `${key} is ${quote(digits)}, expected a whole number`);
  }
  return Number(digits);
}
