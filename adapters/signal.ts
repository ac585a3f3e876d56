/**
 * Ends processes by pid and start time, so that never another one that got the same pid is hit.
 *
 * Each is stopped first. A stopped process does not end by itself, so its pid stays its own while the start
 * time is read again; then it gets its signal, or goes on when it proves to be another one.
 *
 * @see https://man7.org/linux/man-pages/man7/signal.7.html
 */

import { parsePidStat, type PidStat } from "../mod/proc/pid_stat.ts";
import { isLiveProgram } from "../mod/processes/process.ts";
import type { Reading } from "../mod/reading.ts";
import type { Clock } from "./clock.ts";
import type { RunCommand } from "./command.ts";
import { runHostTool } from "./host_tool.ts";
import { maybeParsed } from "./quiet_file.ts";

/** One process, for as long as the host is up. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of its `stat`, in ticks of 1/100 s since boot. */
  readonly startTicks: number;
}

/**
 * What became of a process:
 * - `ended`: it ran, and runs no more
 * - `gone`: it did not run any more when it was looked for
 * - `another`: another process has its pid, which goes on
 * - `alive`: it got its signal and still runs, as one that waits for a disk does
 * - `refused`: it got no signal: not ours to end, it could not be written down, or `kill` could not be run
 */
export type Ending = "ended" | "gone" | "another" | "alive" | "refused";

/** Keeps which processes are stopped, for whoever comes after a program that is killed before it could end them. */
export interface StopNotes {
  /**
   * Writes down processes that are about to be stopped to be ended.
   *
   * @returns Failed when that could not be written: then none of them may be stopped
   */
  readonly announce: (targets: readonly ProcessIdentity[]) => Reading<void>;
  /** Writes down processes that were stopped because they got the pid of one that was meant: they are to go on. */
  readonly noteOthers: (others: readonly ProcessIdentity[]) => void;
  /** Forgets processes that have ended or go on. */
  readonly forget: (targets: readonly ProcessIdentity[]) => void;
}

/** What ending a process takes. */
export interface SignalPorts {
  readonly run: RunCommand;
  /** The proc root that the start times are from. */
  readonly root: string;
  readonly clock: Clock;
  /** Where it is kept who is stopped; absent where somebody else sees to that. */
  readonly stops?: StopNotes;
}

/** How processes are ended. */
export interface EndOptions {
  /** Ask with SIGTERM before SIGKILL. Default: no. */
  readonly termFirst?: boolean;
  /** Milliseconds from SIGTERM to SIGKILL. Default: 2000. */
  readonly graceMs?: number;
}

/** A program that answers SIGTERM does so well within this, unless it finishes work that should end. */
const GRACE_MS = 2_000;

/** A killed process ends when it next gets the CPU; later than this it waits for a disk. */
const KILL_WAIT_MS = 2_000;

const POLL_MS = 20;

/** It only sends signals; on a host that is overloaded even its start takes long. */
const KILL_DEADLINE_MS = 5_000;

/** Ends one process. Never rejects. See {@linkcode endProcesses}. */
export async function endProcess(
  target: ProcessIdentity,
  ports: SignalPorts,
  options: EndOptions = {},
): Promise<Ending> {
  const [ending = "refused"] = await endProcesses([target], ports, options);
  return ending;
}

/**
 * Ends processes, all at the same time, and looks whether they are gone. A zombie is gone: it runs no more.
 *
 * Whether a process may be ended is the caller's to know; refused here are only pid 1, this program, threads
 * of the kernel, and all of a proc root that is of another pid namespace. Never rejects.
 *
 * @returns What became of each, in the order given
 */
export async function endProcesses(
  targets: readonly ProcessIdentity[],
  ports: SignalPorts,
  { termFirst = false, graceMs = GRACE_MS }: EndOptions = {},
): Promise<readonly Ending[]> {
  const endings = new Map<ProcessIdentity, Ending>();
  if (!isOwnTable(ports.root)) return targets.map(() => "refused");
  for (const target of targets) {
    const seen = look(target, ports.root);
    if (target.pid <= 1 || target.pid === Deno.pid || seen === "untouchable") endings.set(target, "refused");
    else if (seen !== "there") endings.set(target, seen);
  }
  const underWay = (): readonly ProcessIdentity[] => targets.filter((target) => !endings.has(target));
  if (termFirst) await strike("TERM", underWay(), graceMs, endings, ports);
  await strike("KILL", underWay(), KILL_WAIT_MS, endings, ports);
  return targets.map((target) => endings.get(target) ?? "refused");
}

/**
 * Stops the processes, makes sure that they are the ones that are meant, sends the signal and waits for their
 * end. What has ended, or is another, gets its ending; after SIGKILL every one does.
 */
async function strike(
  signal: "TERM" | "KILL",
  targets: readonly ProcessIdentity[],
  waitMs: number,
  endings: Map<ProcessIdentity, Ending>,
  ports: SignalPorts,
): Promise<void> {
  if (targets.length === 0) return;
  if (ports.stops?.announce(targets).kind === "failed") {
    for (const target of targets) endings.set(target, "refused");
    return;
  }
  await send("STOP", targets, ports);
  const meant: ProcessIdentity[] = [];
  const others: ProcessIdentity[] = [];
  for (const target of targets) {
    const seen = look(target, ports.root);
    if (seen === "there") meant.push(target);
    else endings.set(target, seen === "gone" ? "ended" : "another");
    if (seen === "another" || seen === "untouchable") others.push(target);
  }
  await letOthersGoOn(others, ports);
  const sent = await send(signal, meant, ports);
  // SIGTERM waits until the process goes on; so does one whose SIGKILL could not be sent.
  if (signal === "TERM" || !sent) await send("CONT", meant, ports);
  let left = meant;
  const endMs = ports.clock.monotonicMs() + waitMs;
  while (left.length > 0) {
    left = left.filter((target) => {
      const seen = look(target, ports.root);
      if (seen === "gone" || seen === "another") endings.set(target, "ended");
      return !endings.has(target);
    });
    if (left.length === 0 || ports.clock.monotonicMs() >= endMs) break;
    await ports.clock.sleep(POLL_MS);
  }
  if (signal === "KILL") { for (const target of left) endings.set(target, sent ? "alive" : "refused"); }
  // What got no signal through, or still waits for a disk, may be stopped yet.
  ports.stops?.forget(targets.filter((target) => !left.includes(target)));
}

/** Lets processes go on that have the pid of one that was meant. */
async function letOthersGoOn(targets: readonly ProcessIdentity[], ports: SignalPorts): Promise<void> {
  const others = targets.flatMap(({ pid }) => {
    const stat = maybeStat(pid, ports.root);
    return stat === undefined ? [] : [{ pid, startTicks: stat.startTicks }];
  });
  if (others.length === 0) return;
  ports.stops?.noteOthers(others);
  if (await send("CONT", others, ports)) ports.stops?.forget(others);
}

/**
 * Lets stopped processes go on, as those that were left stopped by a program that was killed before it could
 * end them. Never rejects.
 */
export async function continueProcesses(
  targets: readonly ProcessIdentity[],
  ports: SignalPorts,
): Promise<void> {
  if (!isOwnTable(ports.root)) return;
  await send("CONT", targets.filter((target) => look(target, ports.root) === "there"), ports);
}

/** Whether pids of a proc root are those of this program's pid namespace, in which signals are sent. Never throws. */
export function isOwnTable(root: string): boolean {
  try {
    return Deno.readLinkSync(`${root}/self`) === `${Deno.pid}`;
  } catch {
    return false;
  }
}

/** Whether a process still runs, and is the one that is meant. A zombie does not. Never throws. */
export function isThere(identity: ProcessIdentity, root: string): boolean {
  const seen = look(identity, root);
  return seen === "there" || seen === "untouchable";
}

/**
 * The letter of a process's state; undefined when it has ended, another one has its pid, or it is a thread of the kernel.
 * Never throws.
 */
export function maybeState({ pid, startTicks }: ProcessIdentity, root: string): string | undefined {
  const stat = maybeStat(pid, root);
  return stat?.startTicks === startTicks && isLiveProgram(stat) ? stat.state : undefined;
}

/** Sends a signal to processes. Whether all of them got it; true where there is none. */
async function send(
  signal: string,
  targets: readonly ProcessIdentity[],
  { run }: SignalPorts,
): Promise<boolean> {
  if (targets.length === 0) return true;
  const pids = targets.map(({ pid }) => `${pid}`);
  return (await runHostTool(run, "kill", [`-${signal}`, ...pids], KILL_DEADLINE_MS)).code === 0;
}

/** What is at a pid now. */
type Seen = "there" | "gone" | "another" | "untouchable";

function look({ pid, startTicks }: ProcessIdentity, root: string): Seen {
  const stat = maybeStat(pid, root);
  if (stat === undefined) return "gone";
  if (stat.startTicks !== startTicks) return "another";
  if (stat.isKernelThread) return "untouchable";
  return isLiveProgram(stat) ? "there" : "gone";
}

function maybeStat(pid: number, root: string): PidStat | undefined {
  return maybeParsed(`${root}/${pid}/stat`, parsePidStat);
}
