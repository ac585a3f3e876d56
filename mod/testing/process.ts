/** Processes and patterns for tests. */

import type { BackupPatterns } from "../processes/backup.ts";
import type { ProcessInfo, ProcessTable } from "../processes/process.ts";

/** The patterns of the defaults. */
export const DEFAULT_PATTERNS: BackupPatterns = {
  engines: ["mydumper", "duplicity"],
  orchestrators: ["backboa", "duobackboa", "multiback", "mysql_backup.sh", "mysql_cluster_backup.sh"],
};

/** The runaways of the defaults. */
export const DEFAULT_RUNAWAYS: readonly string[] = ["php", "drush.php", "wget", "curl"];

/** A process that sleeps, child of pid 1 and in our own pid namespace, unless said otherwise. */
export function aProcess(pid: number, comm: string, rest: Partial<ProcessInfo> = {}): ProcessInfo {
  return {
    pid,
    ppid: 1,
    comm,
    state: "S",
    isKernelThread: false,
    isFork: false,
    argv: [comm],
    startTicks: 180_000 + pid,
    threadCount: 1,
    cpuTicks: 150,
    rssPages: 4_200,
    namespaceDepth: 1,
    ...rest,
  };
}

/** A table in which all of these processes were read, and no others are. */
export function aTable(processes: readonly ProcessInfo[], rest: Partial<ProcessTable> = {}): ProcessTable {
  return {
    processes,
    coverage: "everything",
    foundCount: processes.length,
    skippedPids: [],
    unreadCmdlinePids: [],
    selfPid: undefined,
    ...rest,
  };
}

/** The pids of processes, in their order. */
export function pidsOf(processes: readonly { readonly pid: number }[]): readonly number[] {
  return processes.map(({ pid }) => pid);
}
