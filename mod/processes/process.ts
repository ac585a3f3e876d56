/**
 * One process as the rules see it, whatever it was read from.
 *
 * Undefined means "not read", never "none": a rule that needs a figure it does not have decides nothing.
 */

import type { PidStat } from "../proc/pid_stat.ts";
import type { PsRow } from "../proc/ps.ts";

/** One process. */
export interface ProcessInfo {
  readonly pid: number;
  /** The parent's process id; 0 where the parent is outside this pid namespace. */
  readonly ppid: number;
  /**
   * The kernel's name of it, cut after 15 bytes for programs. A line end or backslash in it is written as
   * `\n` or `\\`, as `/proc/<pid>/stat` does.
   */
  readonly comm: string;
  /** One letter: R running, S sleeping, D waiting for a disk, Z zombie, X dead, and rarer ones. */
  readonly state: string;
  readonly isKernelThread: boolean;
  /** Whether it was forked and has executed no program of its own since. Undefined from `ps`. */
  readonly isFork: boolean | undefined;
  /**
   * The arguments, or the title written over them. Undefined when they were not read or could not be; empty
   * for a zombie or a kernel thread.
   */
  readonly argv: readonly string[] | undefined;
  /**
   * When it started, in ticks of 1/100 s since boot: with the pid it names one process. Undefined from `ps`.
   */
  readonly startTicks: number | undefined;
  readonly threadCount: number;
  /** CPU time so far, user and system, in ticks of 1/100 s. Undefined from `ps`. */
  readonly cpuTicks: number | undefined;
  /** Memory in RAM, in pages. Undefined from `ps`. */
  readonly rssPages: number | undefined;
  /**
   * In how many pid namespaces it has an id, counted from the one of the process table: 1 is ours, 2 and more
   * are a container's inside it. Undefined when not read.
   */
  readonly namespaceDepth: number | undefined;
}

/** The processes of one look, and what could not be seen. */
export interface ProcessTable {
  /**
   * By pid. With coverage `candidates` only those that a pattern could concern, ourselves, and the ancestors
   * of both, so that ancestry holds.
   */
  readonly processes: readonly ProcessInfo[];
  readonly coverage: "candidates" | "everything";
  /** Processes found, also those that were not looked at closer or had to be skipped. */
  readonly foundCount: number;
  /** Ended while they were read, or unreadable. They are never signalled. */
  readonly skippedPids: readonly number[];
  /** Command lines that were wanted and did not come in time: what these processes are is unknown. */
  readonly unreadCmdlinePids: readonly number[];
  /** Our own pid in this table; undefined when it is not the table that we are in, as a recording is not. */
  readonly selfPid: number | undefined;
}

/**
 * States of a process that runs no more: it uses no CPU and no signal changes it. Linux before 3.14 also knew
 * `x`.
 */
const ENDED_STATES: ReadonlySet<string> = new Set(["Z", "X", "x"]);

/** Whether it is a program that still runs: no zombie, and no thread of the kernel. */
export function isLiveProgram(process: Pick<ProcessInfo, "state" | "isKernelThread">): boolean {
  return !process.isKernelThread && !ENDED_STATES.has(process.state);
}

/** Whether it has ended and waits to be collected by its parent. */
export function isZombie(process: Pick<ProcessInfo, "state">): boolean {
  return process.state === "Z";
}

/** A process from its `/proc/<pid>/stat`. */
export function processFromStat(
  stat: PidStat,
  argv: readonly string[] | undefined,
  namespaceDepth?: number,
): ProcessInfo {
  return {
    pid: stat.pid,
    ppid: stat.ppid,
    comm: stat.comm,
    state: stat.state,
    isKernelThread: stat.isKernelThread,
    isFork: stat.isFork,
    argv,
    startTicks: stat.startTicks,
    threadCount: stat.threadCount,
    cpuTicks: stat.utimeTicks + stat.stimeTicks,
    rssPages: stat.rssPages,
    namespaceDepth,
  };
}

/**
 * A process from a row of `ps`.
 *
 * `ps` joins the arguments by blanks, so where one ends is a guess: they are split at blanks, and an argument
 * that holds one is torn. A script whose path holds a blank is then not found; that errs towards "no backup".
 * Titles come out whole when joined again.
 */
export function processFromPs(row: PsRow): ProcessInfo {
  return {
    pid: row.pid,
    ppid: row.ppid,
    comm: row.comm,
    state: row.state,
    isKernelThread: row.isKernelThread,
    isFork: undefined,
    argv: argvFromPs(row),
    startTicks: undefined,
    threadCount: row.threadCount,
    cpuTicks: undefined,
    rssPages: undefined,
    namespaceDepth: undefined,
  };
}

/**
 * `ps` puts the name in brackets where there is no command line: an ended or kernel one, or one it could not
 * read.
 */
function argvFromPs(row: PsRow): readonly string[] | undefined {
  if (!isLiveProgram(row)) return [];
  if (row.args === "" || row.args === `[${row.comm}]`) return undefined;
  return row.args.split(" ").filter((word) => word !== "");
}
