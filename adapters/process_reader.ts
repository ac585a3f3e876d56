/** The process table from whatever source this host allows. */

import { parsePidStat } from "../mod/proc/pid_stat.ts";
import { isLiveProgram, type ProcessTable } from "../mod/processes/process.ts";
import { maybeValue, type Reading } from "../mod/reading.ts";
import { createCmdlineReader } from "./cmdline_reader.ts";
import type { RunCommand } from "./command.ts";
import { listProcessesWithPs } from "./process_list_ps.ts";
import { maybeParsed } from "./quiet_file.ts";
import { type ScanPatterns, scanProcesses } from "./process_scan.ts";
import type { Source } from "./source.ts";

/** Looks at the processes. */
export interface ProcessReader {
  /**
   * Reads the table now.
   *
   * @param coverage What a pattern could concern, or everything. `ps` always lists everything
   */
  readonly read: (
    patterns: ScanPatterns,
    coverage: ProcessTable["coverage"],
  ) => Promise<Reading<ProcessTable>>;
  /** Whether a process of this pid runs: no zombie, no kernel thread. Unknown is no. */
  readonly isAlive: (pid: number) => Promise<boolean>;
  /** Gives up reads that hang, so that the program can end by itself. */
  readonly close: () => void;
}

/** One command line takes well below a millisecond to read; a host under a heavy load may let a thread wait this long. */
const CMDLINE_DEADLINE_MS = 500;

/** `ps` of 20 000 processes takes a second of CPU; on an overloaded host it gets a fraction of one. */
const PS_DEADLINE_MS = 5_000;

/** The reader for a source. */
export function createProcessReader(source: Source, run: RunCommand): ProcessReader {
  if (source.kind === "kernel-calls") {
    const list = (): Promise<Reading<ProcessTable>> =>
      listProcessesWithPs(run, { deadlineMs: PS_DEADLINE_MS });
    return {
      read: list,
      async isAlive(pid: number): Promise<boolean> {
        const found = maybeValue(await list())?.processes.find((process) => process.pid === pid);
        return found !== undefined && isLiveProgram(found);
      },
      close(): void {},
    };
  }
  const { root } = source;
  const reader = createCmdlineReader({ root, deadlineMs: CMDLINE_DEADLINE_MS });
  return {
    read: (patterns, coverage) =>
      scanProcesses({ root, patterns, coverage, reader, readCmdlineDeadlineMs: CMDLINE_DEADLINE_MS }),
    isAlive: (pid) => Promise.resolve(isAlive(root, pid)),
    close: reader.close,
  };
}

function isAlive(root: string, pid: number): boolean {
  const stat = maybeParsed(`${root}/${pid}/stat`, parsePidStat);
  return stat !== undefined && isLiveProgram(stat);
}
