/** Open files: of the whole system, and of each server against its own limit. */

import type { FileNr } from "../../proc/sys_fs_file_nr.ts";
import type { PidLimits } from "../../proc/pid_limits.ts";
import type { Reading } from "../../reading.ts";
import { type CheckResult, fine, maybeWorst, unknown } from "../check.ts";
import type { Levels } from "../thresholds.ts";
import { compareShare, judged } from "./judge.ts";

/** The system's open files. Without a limit there is nothing to run out of. Never throws. */
export function judgeSystemFiles(fileNr: Reading<FileNr>, levels: Levels): CheckResult {
  return judged(
    fileNr,
    ({ allocatedCount, maxCount }) =>
      maxCount === "unlimited"
        ? fine(`${allocatedCount} open files, without a limit`, { count: allocatedCount })
        : compareShare(allocatedCount, maxCount, "open files", levels),
  );
}

/** The open files of one process that serves. */
export interface ProcessFiles {
  /** What it is, for people: `nginx worker 813`. */
  readonly name: string;
  readonly openCount: number;
  readonly limits: PidLimits;
}

/**
 * Each server's open files against its soft limit; at it a server can take no connection. Never throws.
 *
 * @param servers Those that were found. None is unknown: then the servers were not seen
 */
export function judgeProcessFiles(
  servers: Reading<readonly Reading<ProcessFiles>[]>,
  levels: Levels,
): CheckResult {
  return judged(
    servers,
    (found) =>
      maybeWorst(found.map((server) => judged(server, (files) => judgeOne(files, levels)))) ??
        unknown("no server was found"),
  );
}

function judgeOne(
  { name, openCount, limits: { openFilesSoftCount } }: ProcessFiles,
  levels: Levels,
): CheckResult {
  if (openFilesSoftCount === "unlimited") return fine(`${name}: ${openCount} open files, without a limit`);
  if (openFilesSoftCount === 0) return unknown(`${name}: has a limit of 0 open files`);
  const result = compareShare(openCount, openFilesSoftCount, "open files", levels);
  return { ...result, evidence: `${name}: ${result.evidence}` };
}
