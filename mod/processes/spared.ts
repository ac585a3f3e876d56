/**
 * Which of the processes that could be ended must not be, and why.
 *
 * Ended is only what is certain: our own tree, a running backup's, other pid namespaces and whatever is not
 * known for sure are spared, and the reason is shown.
 */

import type { Backup } from "./backup.ts";
import type { ProcessInfo } from "./process.ts";

/** Why a process is spared. A closed list, so that reasons can be counted. */
export type SparedReason =
  /** Pid 1: the kernel would refuse or panic. */
  | "init"
  | "self"
  | "ancestor-of-self"
  /** Our hooks and probes. As pid 1 of a container we are everybody's ancestor, and nobody is ended. */
  | "descendant-of-self"
  | "backup"
  | "descendant-of-backup"
  /** A container's: its own agent decides. */
  | "other-pid-namespace"
  /** It could not be read whose it is. */
  | "namespace-unknown"
  /** Without a start time another process could get the signal. */
  | "start-unknown"
  /** A parent vanished while the table was read. */
  | "ancestry-unknown";

/** A process that stays. */
export interface Spared {
  readonly process: ProcessInfo;
  readonly reason: SparedReason;
}

/** What is left of the candidates, and what is not. */
export interface Victims {
  readonly victims: readonly ProcessInfo[];
  readonly spared: readonly Spared[];
}

/** What the candidates are held against. */
export interface SparingContext {
  /** The process table: at least the candidates, ourselves, and the ancestors of both. */
  readonly table: readonly ProcessInfo[];
  /**
   * Our own pid. Undefined when the table is not the one we are in: nothing of it may be signalled then, only
   * shown.
   */
  readonly selfPid: number | undefined;
  readonly backups: readonly Backup[];
}

/**
 * Splits candidates into those that may be ended and those that are spared, each in the order given. Never
 * throws.
 */
export function excludeProtected(
  candidates: readonly ProcessInfo[],
  { table, selfPid, backups }: SparingContext,
): Victims {
  const parents = new Map(table.map(({ pid, ppid }) => [pid, ppid]));
  const selfLine = selfPid === undefined ? [] : ancestryOf(selfPid, parents);
  const backupPids = new Set(backups.map(({ process }) => process.pid));
  const victims: ProcessInfo[] = [];
  const spared: Spared[] = [];
  for (const process of candidates) {
    const reason = reasonToSpare(process, ancestryOf(process.pid, parents), selfPid, selfLine, backupPids);
    if (reason === undefined) victims.push(process);
    else spared.push({ process, reason });
  }
  return { victims, spared };
}

/** The first reason that holds; what is known for certain comes before what is not known. */
function reasonToSpare(
  { pid, startTicks, namespaceDepth }: ProcessInfo,
  line: readonly number[] | undefined,
  selfPid: number | undefined,
  selfLine: readonly number[] | undefined,
  backupPids: ReadonlySet<number>,
): SparedReason | undefined {
  if (pid === 1) return "init";
  if (pid === selfPid) return "self";
  if (selfLine?.includes(pid)) return "ancestor-of-self";
  if (selfPid !== undefined && line?.includes(selfPid)) return "descendant-of-self";
  if (backupPids.has(pid)) return "backup";
  if (line?.some((ancestor) => backupPids.has(ancestor))) return "descendant-of-backup";
  if (namespaceDepth !== undefined && namespaceDepth > 1) return "other-pid-namespace";
  if (line === undefined || selfLine === undefined) return "ancestry-unknown";
  if (startTicks === undefined) return "start-unknown";
  if (namespaceDepth === undefined) return "namespace-unknown";
  return undefined;
}

/**
 * The ancestors of a process, nearest first, down to pid 1 or to a parent outside the namespace (0).
 *
 * @returns Undefined when one is missing from the table or when they go in a circle, which two processes that
 * got the pids of ended ones while the table was read can make it seem
 */
function ancestryOf(pid: number, parents: ReadonlyMap<number, number>): readonly number[] | undefined {
  const line: number[] = [];
  let parent = parents.get(pid);
  while (parent !== undefined && parent > 0) {
    if (parent === pid || line.includes(parent)) return undefined;
    line.push(parent);
    if (parent === 1) return line;
    parent = parents.get(parent);
  }
  return parent === undefined ? undefined : line;
}
