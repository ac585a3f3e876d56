/**
 * The process table from `ps`, where no proc root can be read.
 *
 * It costs a fork and several times the CPU of a scan, tells no start times, so that no process of it is ever
 * signalled, and joins arguments by blanks, so that where one ends is a guess.
 */

import { messageOf } from "../mod/errors.ts";
import { parsePs, PS_ARGUMENTS } from "../mod/proc/ps.ts";
import { processFromPs, type ProcessTable } from "../mod/processes/process.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import type { RunCommand } from "./command.ts";

/** Where `ps` is: in `/bin` on systems that keep it apart from `/usr`. */
const PROGRAMS = ["/usr/bin/ps", "/bin/ps"] as const;

/** Exit code of a program that could not be started. */
const NOT_STARTED = 127;

/** How long to wait. */
export interface PsOptions {
  readonly deadlineMs: number;
}

/**
 * Lists all processes with `ps`. The `ps` itself is among them.
 *
 * @returns Failed when no `ps` can be started, it fails or takes too long (`ps` reads all command lines, and
 * any of them can hang), or what it printed is not understood. Never throws
 */
export async function listProcessesWithPs(
  run: RunCommand,
  { deadlineMs }: PsOptions,
): Promise<Reading<ProcessTable>> {
  let problem = "";
  for (const program of PROGRAMS) {
    const { code, stdout, stderr, timedOut } = await run(program, PS_ARGUMENTS, { deadlineMs });
    if (timedOut) {
      return failed(`Cannot list the processes: ${program} gave no answer within ${deadlineMs} ms`);
    }
    if (code === 0) return tableOf(stdout, program);
    problem = `Cannot list the processes: ${program} exited ${code}: ${stderr.trim()}`;
    if (code !== NOT_STARTED) break;
  }
  return failed(problem);
}

function tableOf(stdout: string, program: string): Reading<ProcessTable> {
  try {
    const processes = parsePs(stdout, program).map(processFromPs).sort((a, b) => a.pid - b.pid);
    return ok({
      processes,
      coverage: "everything",
      foundCount: processes.length,
      skippedPids: [],
      unreadCmdlinePids: processes.filter(({ argv }) => argv === undefined).map(({ pid }) => pid),
      selfPid: undefined,
    });
  } catch (error) {
    return failed(messageOf(error));
  }
}
