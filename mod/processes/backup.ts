/**
 * Which backups run now: their load waits for the disk and ends by itself, so they can exempt from the
 * drastic tiers.
 *
 * Engines (`mydumper`, `duplicity`) go by exact name, orchestrators (`mysql_backup.sh`) by the path of the
 * script; both are seen through interpreters. An editor, a download or a search for such a file is none. What
 * cannot be decided is reported and never counts: unknown does not exempt.
 */

import { commOf, isAmbiguousComm } from "./comm.ts";
import { isLiveProgram, type ProcessInfo } from "./process.ts";
import { baseName, identityOf, isInterpreter, programOf } from "./program.ts";

/** What counts as a backup. */
export interface BackupPatterns {
  /** Exact names of programs. */
  readonly engines: readonly string[];
  /**
   * Scripts or programs: without a slash the exact base name, with one the exact path as it stands in the
   * arguments, so one that was started by a relative path is not matched by an absolute one.
   */
  readonly orchestrators: readonly string[];
}

/** A running backup. */
export interface Backup {
  readonly process: ProcessInfo;
  /** The engine or orchestrator that it matched, as configured. */
  readonly pattern: string;
}

/** The backups of one process table. */
export interface BackupFindings {
  readonly running: readonly Backup[];
  /** Could be backups, but their arguments are unknown. They count as none. */
  readonly undecided: readonly ProcessInfo[];
}

/**
 * Finds the running backups. Never throws.
 *
 * @param processes A process table; all of it or the candidates alone give the same answer
 */
export function findBackups(processes: readonly ProcessInfo[], patterns: BackupPatterns): BackupFindings {
  const enginesByComm = decidingComms(patterns);
  const unclearComms = undecidedComms(patterns);
  const running: Backup[] = [];
  const undecided: ProcessInfo[] = [];
  for (const process of processes) {
    if (!isLiveProgram(process)) continue;
    const engine = enginesByComm.get(process.comm);
    if (engine !== undefined) {
      running.push({ process, pattern: engine });
    } else if (!unclearComms.has(process.comm) && !isInterpreter(process.comm)) {
      continue;
    } else if (process.argv === undefined) {
      undecided.push(process);
    } else {
      const pattern = matchingPattern(process.argv, patterns);
      if (pattern !== undefined) running.push({ process, pattern });
    }
  }
  return { running, undecided };
}

/** Whether a process of this name can be a backup at all; all others need no closer look. */
export function mayBeBackup(comm: string, patterns: BackupPatterns): boolean {
  return decidingComms(patterns).has(comm) || needsCmdline(comm, patterns);
}

/**
 * Whether only the arguments of a process of this name tell if it is a backup.
 *
 * Reading them can hang for as long as the process's memory is locked, so they are read where they decide and
 * nowhere else.
 */
export function needsCmdline(comm: string, patterns: BackupPatterns): boolean {
  return undecidedComms(patterns).has(comm) || isInterpreter(comm);
}

/** Engines whose comm says all: shorter than the 15 bytes at which the kernel cuts. */
function decidingComms({ engines }: BackupPatterns): ReadonlyMap<string, string> {
  return new Map(engines.filter((name) => !isAmbiguousComm(name)).map((name) => [name, name]));
}

/** Names that a backup would have, and others as well. */
function undecidedComms({ engines, orchestrators }: BackupPatterns): ReadonlySet<string> {
  return new Set([
    ...engines.filter(isAmbiguousComm).map(commOf),
    ...orchestrators.map((pattern) => commOf(baseName(pattern))),
  ]);
}

/** The first engine, else the first orchestrator, that these arguments are. */
function matchingPattern(argv: readonly string[], patterns: BackupPatterns): string | undefined {
  const program = programOf(argv);
  if (program === undefined) return undefined;
  const path = identityOf(program);
  const name = program.script === undefined ? program.name : baseName(program.script);
  return patterns.engines.find((engine) => engine === name) ??
    patterns.orchestrators.find((pattern) => pattern === (pattern.includes("/") ? path : name));
}
