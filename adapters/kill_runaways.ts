/** Ends runaways: finds them, spares what must be spared, ends the rest, and looks whether they are gone. */

import { type Backup, findBackups } from "../mod/processes/backup.ts";
import type { ProcessInfo, ProcessTable } from "../mod/processes/process.ts";
import { findRunaways } from "../mod/processes/runaways.ts";
import { excludeProtected, type SparedReason } from "../mod/processes/spared.ts";
import { parsePasswd } from "../mod/users.ts";
import { type Victim, victimOf } from "../mod/processes/victim.ts";
import { parsePidStatus } from "../mod/proc/pid_status.ts";
import { parseUptime } from "../mod/proc/uptime.ts";
import { whyMissing } from "../mod/reading.ts";
import type { BackupSettings } from "./backup_watch.ts";
import type { Clock } from "./clock.ts";
import type { RunCommand } from "./command.ts";
import type { ProcessReader } from "./process_reader.ts";
import { type Ending, endProcesses } from "./signal.ts";
import type { Source } from "./source.ts";
import { maybeText } from "./quiet_file.ts";

/** What is ended, and below what nothing is. */
export interface RunawaySettings {
  /** Exact names of processes. */
  readonly names: readonly string[];
  readonly backups: BackupSettings;
}

/** What ending takes. */
export interface RunawayPorts {
  readonly run: RunCommand;
  readonly processes: ProcessReader;
  /** Where the processes are read from, which must be the table that we are in. */
  readonly source: Source;
  readonly clock: Clock;
}

/** A runaway that was to end. It has where the ending is `ended`, `gone` or `another`. */
export interface EndedRunaway {
  readonly victim: Victim;
  readonly ending: Ending;
}

/** A runaway that stays, and why. */
export interface SparedRunaway {
  readonly victim: Victim;
  /** `backup-unknown`: it, or what started it, may be a backup; its command line could not be read. */
  readonly reason: SparedReason | "backup-unknown";
}

/** What came of it. */
export type RunawaysOutcome =
  /** Each victim with what became of it; all have ended where `survivors` is 0. */
  | {
    readonly kind: "done";
    readonly ended: readonly EndedRunaway[];
    readonly spared: readonly SparedRunaway[];
    readonly survivors: number;
  }
  /** Nothing was signalled, because nothing could be known for certain. */
  | { readonly kind: "refused"; readonly reason: string };

/** Names of users, for people. */
const PASSWD_PATH = "/etc/passwd";

/**
 * Ends the processes of these names, but for those that are spared. A zombie has ended, so one that nobody
 * collects is no failure. Never rejects.
 */
export async function killRunaways(
  { names, backups }: RunawaySettings,
  { run, processes, source, clock }: RunawayPorts,
): Promise<RunawaysOutcome> {
  if (source.kind !== "proc-root") {
    return refuse("there is no proc root, so no process can be told from another one with the same pid");
  }
  const { root } = source;
  const table = await processes.read(
    { backups: backups.patterns, runaways: names, webTier: false },
    "candidates",
  );
  if (table.kind !== "ok") return refuse(whyMissing(table) ?? "the processes cannot be read");
  const { selfPid } = table.value;
  if (selfPid === undefined) return refuse(`${root} is not the process table that this program is in`);
  if (selfPid !== Deno.pid) {
    return refuse(
      `${root} is of another pid namespace: this program is pid ${selfPid} there and ${Deno.pid} here`,
    );
  }

  const { victims, spared } = choose(table.value, names, backups);
  const uptimeMs = maybeUptimeMs(root);
  const users = parsePasswd(maybeText(PASSWD_PATH) ?? "");
  const describe = (process: ProcessInfo): Victim =>
    victimOf(process, maybeStatus(root, process), uptimeMs, users);
  const described = victims.map((process) => ({ victim: describe(process), startTicks: startOf(process) }));
  const endings = await endProcesses(
    described.map(({ victim: { pid }, startTicks }) => ({ pid, startTicks })),
    { run, root, clock },
  );
  const ended = described.map(({ victim }, index) => ({ victim, ending: endings[index] ?? "refused" }));
  return {
    kind: "done",
    ended,
    spared: spared.map(({ process, reason }) => ({ victim: describe(process), reason })),
    survivors: ended.filter(({ ending }) => ending === "alive" || ending === "refused").length,
  };
}

/** Who is ended and who stays. */
interface Choice {
  readonly victims: readonly ProcessInfo[];
  readonly spared: readonly { readonly process: ProcessInfo; readonly reason: SparedRunaway["reason"] }[];
}

function choose(
  { processes: table, selfPid }: ProcessTable,
  names: readonly string[],
  { patterns, markerPath }: BackupSettings,
): Choice {
  const { running, undecided } = findBackups(table, patterns);
  const marked = maybeMarkedPid(markerPath);
  const backups: readonly Backup[] = [
    ...running,
    ...table.filter(({ pid }) => pid === marked).map((process) => ({
      process,
      pattern: markerPath ?? "",
    })),
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

/** The pid in the marker of a running backup. A process that has ended is in no table and matches nothing. */
function maybeMarkedPid(markerPath: string | undefined): number | undefined {
  const text = markerPath === undefined ? undefined : maybeText(markerPath);
  const pid = Number(/^\s*(\d{1,10})\s*$/.exec(text ?? "")?.[1]);
  return pid > 0 ? pid : undefined;
}

function maybeStatus(root: string, { pid }: ProcessInfo): ReturnType<typeof parsePidStatus> | undefined {
  const path = `${root}/${pid}/status`;
  try {
    return parsePidStatus(Deno.readTextFileSync(path), path);
  } catch {
    return undefined;
  }
}

function maybeUptimeMs(root: string): number | undefined {
  try {
    return parseUptime(Deno.readTextFileSync(`${root}/uptime`), `${root}/uptime`);
  } catch {
    return undefined;
  }
}

/** A victim without a start time is spared, so that there is none here. */
function startOf({ startTicks }: ProcessInfo): number {
  return startTicks ?? -1;
}

function refuse(reason: string): RunawaysOutcome {
  return { kind: "refused", reason: `Cannot end runaways: ${reason}` };
}
