/** Ends runaways: finds them, spares what must be spared, ends the rest, and looks whether they are gone. */

import type { ProcessInfo, ProcessTable } from "../mod/processes/process.ts";
import { chooseRunaways, type RunawayChoice, type StayReason } from "../mod/processes/runaway_choice.ts";
import { parsePasswd } from "../mod/users.ts";
import { type Victim, victimOf } from "../mod/processes/victim.ts";
import { parsePidStatus } from "../mod/proc/pid_status.ts";
import { parseUptime } from "../mod/proc/uptime.ts";
import { mapReading, type Reading, whyMissing } from "../mod/reading.ts";
import type { BackupSettings } from "./backup_watch.ts";
import type { Clock } from "./clock.ts";
import type { RunCommand } from "./command.ts";
import type { ProcessReader } from "./process_reader.ts";
import { type Ending, endProcesses, type StopNotes } from "./signal.ts";
import type { Source } from "./source.ts";
import { maybeParsed, maybeText } from "./quiet_file.ts";

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
  /** Where it is kept who is stopped on the way to an end. */
  readonly stops?: StopNotes;
}

/** A runaway that was to end. It has where the ending is `ended`, `gone` or `another`. */
export interface EndedRunaway {
  readonly victim: Victim;
  readonly ending: Ending;
}

/** A runaway that stays, and why. */
export interface SparedRunaway {
  readonly victim: Victim;
  readonly reason: StayReason;
}

/** The runaways of this host now. */
export interface RunawayLook {
  readonly table: ProcessTable;
  readonly choice: RunawayChoice;
  /** Why none may be signalled, although some are there; undefined when they may. */
  readonly refusal: string | undefined;
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

const NO_PROC_ROOT = "there is no proc root, so no process can be told from another one with the same pid";

/** Names of users, for people. */
const PASSWD_PATH = "/etc/passwd";

/**
 * Looks which processes of these names there are, and which would be ended. Failed when they cannot be read. Never rejects.
 */
export async function findRunawayChoice(
  { names, backups }: RunawaySettings,
  { processes, source }: Pick<RunawayPorts, "processes" | "source">,
): Promise<Reading<RunawayLook>> {
  const table = await processes.read(
    { backups: backups.patterns, runaways: names, webTier: false },
    "candidates",
  );
  return mapReading(table, (value) => ({
    table: value,
    choice: chooseRunaways(value, {
      names,
      backups: backups.patterns,
      markedPid: maybeMarkedPid(backups.markerPath),
    }),
    refusal: whyNoneIsEnded(value, source),
  }));
}

function whyNoneIsEnded({ selfPid }: ProcessTable, source: Source): string | undefined {
  if (source.kind !== "proc-root") return NO_PROC_ROOT;
  if (selfPid === undefined) return `${source.root} is not the process table that this program is in`;
  return selfPid === Deno.pid
    ? undefined
    : `${source.root} is of another pid namespace: this program is pid ${selfPid} there and ${Deno.pid} here`;
}

/**
 * Ends the processes of these names, but for those that are spared. A zombie has ended, so one that nobody
 * collects is no failure. Never rejects.
 */
export async function killRunaways(settings: RunawaySettings, ports: RunawayPorts): Promise<RunawaysOutcome> {
  const { run, source, clock, stops } = ports;
  // Without one the list of processes has nothing that a signal could be checked against: it is not even read.
  if (source.kind !== "proc-root") return refuse(NO_PROC_ROOT);
  const { root } = source;
  const look = await findRunawayChoice(settings, ports);
  if (look.kind !== "ok") return refuse(whyMissing(look) ?? "the processes cannot be read");
  const { choice: { victims, spared }, refusal } = look.value;
  if (refusal !== undefined) return refuse(refusal);

  const uptimeMs = maybeParsed(`${root}/uptime`, parseUptime);
  const users = parsePasswd(maybeText(PASSWD_PATH) ?? "");
  const describe = (process: ProcessInfo): Victim =>
    victimOf(process, maybeParsed(`${root}/${process.pid}/status`, parsePidStatus), uptimeMs, users);
  const described = victims.map((process) => ({ victim: describe(process), startTicks: startOf(process) }));
  const endings = await endProcesses(
    described.map(({ victim: { pid }, startTicks }) => ({ pid, startTicks })),
    { run, root, clock, ...stops && { stops } },
  );
  const ended = described.map(({ victim }, index) => ({ victim, ending: endings[index] ?? "refused" }));
  return {
    kind: "done",
    ended,
    spared: spared.map(({ process, reason }) => ({ victim: describe(process), reason })),
    survivors: ended.filter(({ ending }) => ending === "alive" || ending === "refused").length,
  };
}

/** The pid in the marker of a running backup. A process that has ended is in no table and matches nothing. */
function maybeMarkedPid(markerPath: string | undefined): number | undefined {
  const text = markerPath === undefined ? undefined : maybeText(markerPath);
  const pid = Number(/^\s*(\d{1,10})\s*$/.exec(text ?? "")?.[1]);
  return pid > 0 ? pid : undefined;
}

/** A victim without a start time is spared, so that there is none here. */
function startOf({ startTicks }: ProcessInfo): number {
  return startTicks ?? -1;
}

function refuse(reason: string): RunawaysOutcome {
  return { kind: "refused", reason: `Cannot end runaways: ${reason}` };
}
