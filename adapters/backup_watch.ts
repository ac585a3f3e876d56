/** Which backups run now: by process, and by the pid in a marker file while that process lives. */

import { type BackupPatterns, findBackups } from "../mod/processes/backup.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import type { ProcessReader } from "./process_reader.ts";

/** What counts as a running backup. */
export interface BackupSettings {
  readonly patterns: BackupPatterns;
  /** A file that holds the pid of a running backup; undefined is none. */
  readonly markerPath: string | undefined;
}

/**
 * The running backups, each as `duplicity (pid 4427)`.
 *
 * @returns Failed when the processes cannot be read, or none is found while some could not be told: unknown is not "none",
 * and exempts nothing. Never throws
 */
export async function readRunningBackups(
  processes: ProcessReader,
  { patterns, markerPath }: BackupSettings,
): Promise<Reading<readonly string[]>> {
  const table = await processes.read({ backups: patterns, runaways: [], webTier: false }, "candidates");
  if (table.kind !== "ok") return table;
  const { running, undecided } = findBackups(table.value.processes, patterns);
  const names = running.map(({ pattern, process }) => `${pattern} (pid ${process.pid})`);
  const marked = markerPath === undefined ? undefined : await markedBackup(markerPath, processes);
  if (marked !== undefined) names.push(marked);
  if (names.length === 0 && undecided.length > 0) {
    return failed(`Cannot tell whether pid ${undecided.map(({ pid }) => pid).join(", ")} is a backup`);
  }
  return ok(names);
}

/** The backup that a marker names, when that process is alive; a marker left behind says nothing. */
async function markedBackup(markerPath: string, processes: ProcessReader): Promise<string | undefined> {
  let text: string;
  try {
    text = Deno.readTextFileSync(markerPath);
  } catch {
    return undefined;
  }
  const pid = Number(/^\s*(\d{1,10})\s*$/.exec(text)?.[1]);
  return pid > 0 && await processes.isAlive(pid) ? `${markerPath} (pid ${pid})` : undefined;
}
