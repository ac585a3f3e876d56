/** The figures of groups, from what is known of their processes. */

import type { GroupProcess, ProcessGroup } from "../../mod/pressure/sample.ts";
import { isLiveProgram, processFromStat, type ProcessTable } from "../../mod/processes/process.ts";
import type { KnownProcess } from "./known_processes.ts";

/**
 * A group, by pid. What has ended counts with those that run, until its parent has its times; alone it is no group. Never
 * throws.
 */
export function groupOf(processes: readonly KnownProcess[], kibPerPage: number): ProcessGroup {
  if (!processes.some(({ stat }) => isLiveProgram(stat))) return [];
  return processes.map(({ stat, reapedTicks }): GroupProcess => ({
    pid: stat.pid,
    ppid: stat.ppid,
    startTicks: stat.startTicks,
    cpuTicks: stat.utimeTicks + stat.stimeTicks,
    reapedTicks,
    rssKib: stat.rssPages * kibPerPage,
  })).sort((one, other) => one.pid - other.pid);
}

/** The processes of php-fpm, of so many that there are. Never throws. */
export function fpmTable(processes: readonly KnownProcess[], foundCount: number): ProcessTable {
  return {
    processes: processes.map((process) =>
      processFromStat(process.stat, process.argv, process.namespaceDepth())
    ),
    coverage: "candidates",
    foundCount,
    skippedPids: [],
    unreadCmdlinePids: processes.filter(({ argv }) => argv === undefined).map(({ pid }) => pid),
    selfPid: undefined,
  };
}
