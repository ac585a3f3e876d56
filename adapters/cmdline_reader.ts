/**
 * Reads command lines without ever waiting long for one.
 *
 * The kernel reads `/proc/<pid>/cmdline` out of the process's own memory and waits while that is locked,
 * which a task in uninterruptible sleep can make last for hours. Each read therefore has a deadline. One that
 * passes it cannot be taken back: it keeps a thread of the runtime until the kernel lets go, so it is
 * remembered, not started a second time, and their number is bounded.
 */

import { messageOf } from "../mod/errors.ts";
import { parseCmdline } from "../mod/proc/pid_cmdline.ts";
import { absent, failed, ok, type Reading } from "../mod/reading.ts";
import { systemClock } from "./clock.ts";

/** Reads command lines of one proc root. */
export interface CmdlineReader {
  /**
   * The arguments of each process, in the order given. Failed where the read took too long or is still under
   * way since an earlier call, absent where the process is gone. Never throws.
   */
  readonly readAll: (processes: readonly ProcessKey[]) => Promise<readonly Reading<readonly string[]>[]>;
  /** How many reads have not come back: between two calls those that passed their deadline. */
  readonly unfinishedCount: () => number;
  /** Gives up all unfinished reads, so that the program can end by itself; later calls read nothing. */
  readonly close: () => void;
}

/** What names one process: its pid, and its start, because pids are given out again. */
export interface ProcessKey {
  readonly pid: number;
  readonly startTicks: number;
}

/** Where to read and how long to wait. */
export interface CmdlineReaderOptions {
  readonly root: string;
  /**
   * How long one read may take. A read takes well below a millisecond; on a host under heavy load the thread
   * waits too.
   */
  readonly deadlineMs: number;
  /** The clock for the time of all reads together. Default: this machine's. */
  readonly monotonicMs?: () => number;
}

/** Reads waited for at a time: enough that a stuck one does not hold up the rest. */
const CONCURRENCY = 4;

/**
 * Reads under way, stuck ones included, before no further one is started. The runtime has 32 threads for
 * files: with all of them stuck no file could be read any more, the state of the agent included.
 */
const UNDER_WAY_LIMIT = 12;

/** All reads of one call together, in deadlines of a single one. */
const BUDGET_DEADLINES = 5;

/**
 * Characters kept of one command line; a process may have megabytes, and its program and script come first.
 */
const TEXT_LIMIT = 4_096;

/** Makes a reader; it is meant to live as long as the agent. */
export function createCmdlineReader(options: CmdlineReaderOptions): CmdlineReader {
  const { root, deadlineMs, monotonicMs = systemClock.monotonicMs } = options;
  const underWay = new Set<string>();
  const closing = new AbortController();

  async function readOne({ pid, startTicks }: ProcessKey): Promise<Reading<readonly string[]>> {
    const key = `${pid}:${startTicks}`;
    const path = `${root}/${pid}/cmdline`;
    if (closing.signal.aborted) return failed(`Cannot read ${path}: the reader is closed`);
    if (underWay.has(key)) return failed(`Cannot read ${path}: an earlier read has not come back`);
    if (underWay.size >= UNDER_WAY_LIMIT) {
      return failed(`Cannot read ${path}: ${underWay.size} earlier reads have not come back`);
    }
    const late = Promise.withResolvers<Reading<never>>();
    const timer = setTimeout(
      () => late.resolve(failed(`Cannot read ${path}: no answer within ${deadlineMs} ms`)),
      deadlineMs,
    );
    underWay.add(key);
    const reading = readCmdline(path, closing.signal).finally(() => {
      clearTimeout(timer);
      underWay.delete(key);
    });
    return await Promise.race([reading, late.promise]);
  }

  async function readAll(
    processes: readonly ProcessKey[],
  ): Promise<readonly Reading<readonly string[]>[]> {
    const outOfTime = failed("Cannot read the command line: the time for all of them is over");
    const readings: Reading<readonly string[]>[] = processes.map(() => outOfTime);
    const endMs = monotonicMs() + BUDGET_DEADLINES * deadlineMs;
    let nextIndex = 0;
    async function work(): Promise<void> {
      while (nextIndex < processes.length && monotonicMs() < endMs) {
        const index = nextIndex++;
        const process = processes[index];
        if (process !== undefined) readings[index] = await readOne(process);
      }
    }
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, processes.length) }, work));
    return readings;
  }

  return { readAll, unfinishedCount: () => underWay.size, close: () => closing.abort() };
}

/** Opening is done at once and cannot hang for this file; only the read goes to a thread. */
async function readCmdline(path: string, signal: AbortSignal): Promise<Reading<readonly string[]>> {
  try {
    return ok(parseCmdline(cut(await Deno.readTextFile(path, { signal }))));
  } catch (error) {
    return error instanceof Deno.errors.NotFound
      ? absent(`${path} is gone`)
      : failed(`Cannot read ${path}: ${messageOf(error)}`);
  }
}

/** Cuts after whole arguments; a title, which is one, is cut anywhere. */
function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  const end = text.lastIndexOf("\0", TEXT_LIMIT);
  return text.slice(0, end > 0 ? end : TEXT_LIMIT);
}
