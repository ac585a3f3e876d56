/**
 * `/proc/<pid>/stat`: one process on one line, its name in parentheses, everything else separated by blanks.
 *
 *     4120 (php) R 4101 4120 4101 0 -1 4194304 8120 0 3 0 5210 377 0 0 20 0 1 0 1893321 98414592 11873 …
 *
 * @see https://www.kernel.org/doc/html/latest/filesystems/proc.html#process-specific-subdirectories
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */

import { ParseError, quote } from "../errors.ts";

/** What one process is and what it has used. */
export interface PidStat {
  readonly pid: number;
  /**
   * The name of the program or script, which a process may change: at most 15 bytes for programs, up to 63
   * for kernel threads. Any character can be in it, also `)`, blanks and line ends.
   */
  readonly comm: string;
  /**
   * One letter: R running, S sleeping, D waiting for a disk, Z zombie, T stopped, I idle kernel thread, and
   * rarer ones.
   */
  readonly state: string;
  /** The parent's process id. 0 for the first process, and where the parent is outside this pid namespace. */
  readonly ppid: number;
  /** The kernel's PF_ bits. */
  readonly flags: number;
  /** CPU time in user mode, in ticks of 1/100 s. */
  readonly utimeTicks: number;
  /** CPU time in the kernel, in ticks of 1/100 s. */
  readonly stimeTicks: number;
  /** -20 (goes first) to 19 (gives way). */
  readonly niceness: number;
  readonly threadCount: number;
  /**
   * When it started, in ticks of 1/100 s since boot. With the pid it names one process for as long as the
   * host is up.
   */
  readonly startTicks: number;
  /** Memory in RAM, in pages. 0 for zombies and kernel threads. */
  readonly rssPages: number;
  /** Whether it is a thread of the kernel itself: it runs no program, and a signal does nothing to it. */
  readonly isKernelThread: boolean;
  /** Whether it was forked and has executed no program of its own since. */
  readonly isFork: boolean;
}

/** PF_KTHREAD of the kernel's `sched.h`, shown in the flags since Linux 2.6.27. */
const KERNEL_THREAD_FLAG = 0x0020_0000;

/** PF_FORKNOEXEC. */
const FORK_FLAG = 0x40;

/**
 * kthreadd, the parent of all other kernel threads, for a /proc that does not show the flags. In a container
 * 2 is a process like any other, so it also takes what only a kernel thread has: no memory of its own while
 * alive.
 */
const KTHREADD_PID = 2;

/**
 * What follows the name: fields 3 (state) to 24 (pages in RAM) of `proc_pid_stat(5)`, those in use captured.
 * One flat pattern, because a scan runs it for each process: checking field by field costs twice as much.
 */
const AFTER_COMM = new RegExp(
  [
    /^ ([A-Za-z]) (\d{1,10}) -?\d+ -?\d+ -?\d+ -?\d+ (\d{1,10}) \d+ \d+ \d+ \d+ (\d{1,20}) (\d{1,20})/,
    / -?\d+ -?\d+ -?\d+ (-?\d{1,10}) (\d{1,10}) -?\d+ (\d{1,20}) (\d{1,20}) (-?\d{1,20})(?:\s|$)/,
  ].map((part) => part.source).join(""),
);

/**
 * Reads `/proc/<pid>/stat`. The name ends at the last `)` of the text, because it may itself hold `) Z 1 (`.
 *
 * Counters above 2^53 lose their last digits. The CPU times of ended children are not looked at: the kernel
 * prints extreme and negative ones for some of its threads.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the text is not a pid above 0, a name in parentheses, a state and the numbers up to
 * the pages in RAM: the process ended while it was read, or the text is damaged
 */
export function parsePidStat(text: string, source = "/proc/<pid>/stat"): PidStat {
  const open = text.indexOf(" (");
  const close = text.lastIndexOf(")");
  const pidText = text.slice(0, Math.max(0, open));
  const match = AFTER_COMM.exec(text.slice(close + 1));
  if (match === null || !/^[1-9]\d{0,9}$/.test(pidText)) {
    const seen = text.trim() === "" ? "is empty" : `is ${quote(text)}`;
    throw new ParseError(source, `${seen}, expected a pid, (name), a state and at least 21 numbers`);
  }
  const pid = Number(pidText);
  const state = match[1] ?? "";
  const ppid = Number(match[2]);
  const flags = Number(match[3]);
  const vsizeBytes = Number(match[9]);
  return {
    pid,
    comm: text.slice(open + 2, close),
    state,
    ppid,
    flags,
    utimeTicks: Number(match[4]),
    stimeTicks: Number(match[5]),
    niceness: Number(match[6]),
    threadCount: Number(match[7]),
    startTicks: Number(match[8]),
    rssPages: Math.max(0, Number(match[10])),
    isKernelThread: (flags & KERNEL_THREAD_FLAG) !== 0 ||
      (pid === KTHREADD_PID || ppid === KTHREADD_PID) && vsizeBytes === 0 && state !== "Z",
    isFork: (flags & FORK_FLAG) !== 0,
  };
}
