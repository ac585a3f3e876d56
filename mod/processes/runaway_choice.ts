/** Which runaways are ended and which stay: the one rule for the agent that ends them and the audit that says so. */

import { type Backup, type BackupPatterns, findBackups } from "./backup.ts";
import type { ProcessInfo, ProcessTable } from "./process.ts";
import { findRunaways } from "./runaways.ts";
import { excludeProtected, type SparedReason } from "./spared.ts";

/** What is ended, and below what nothing is. */
export interface RunawayRules {
  /** Exact names of processes. */
  readonly names: readonly string[];
  readonly backups: BackupPatterns;
  /** Pid that the marker of a running backup names; a process that has ended is in no table and matches nothing. */
  readonly markedPid: number | undefined;
}

/** Why a runaway stays. `backup-unknown`: it, or what started it, may be a backup; its command line could not be read. */
export type StayReason = SparedReason | "backup-unknown";

/** Who is ended and who stays. */
export interface RunawayChoice {
  readonly victims: readonly ProcessInfo[];
  readonly spared: readonly { readonly process: ProcessInfo; readonly reason: StayReason }[];
}

/** Chooses among the processes of a table. Never throws. */
export function chooseRunaways(
  { processes: table, selfPid }: ProcessTable,
  { names, backups: patterns, markedPid }: RunawayRules,
): RunawayChoice {
  const { running, undecided } = findBackups(table, patterns);
  const marked = table.filter(({ pid }) => pid === markedPid);
  const backups: readonly Backup[] = [
    ...running,
    ...marked.map((process) => ({ process, pattern: "marker" })),
  ];
  const certain = excludeProtected(findRunaways(table, names), { table, selfPid, backups });
  const doubtful = undecided.map((process) => ({ process, pattern: "" }));
  const { victims, spared } = excludeProtected(certain.victims, { table, selfPid, backups: doubtful });
  return {
    victims,
    spared: [
      ...certain.spared,
      ...spared.map(({ process }) => ({ process, reason: "backup-unknown" as const })),
    ],
  };
}
