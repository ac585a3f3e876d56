/**
 * All processes of a proc root, and what tells to which groups they belong, kept from look to look.
 *
 * Each look reads the `stat` of those that are watched. Of another process hardly anything changes: it is looked at
 * when it is new, in each look while it is young, because a program is started by a process of another name, and then
 * every ten seconds. A pid that is given out again shows by its start time.
 *
 * The kernel gives out pids one after the other and tells the last one, so that what is new is found without a list
 * of all: each list leaves behind in the runtime what it collects only when it has become very much. Every ten seconds
 * there is one, for whatever was missed.
 */

import { parsePidCgroup } from "../../mod/proc/pid_cgroup.ts";
import { parseLoadavg } from "../../mod/proc/loadavg.ts";
import { parseReapedTicks } from "../../mod/proc/pid_reaped.ts";
import { parsePidStat, type PidStat } from "../../mod/proc/pid_stat.ts";
import { parseTgid } from "../../mod/proc/pid_tgid.ts";
import { type UnitPaths, unitPathsOf } from "../../mod/processes/group_rule.ts";
import { parseNamespaceDepth } from "../../mod/processes/pid_namespace.ts";
import { isLiveProgram } from "../../mod/processes/process.ts";
import { maybeParsed, maybeText } from "../quiet_file.ts";

/** A process. */
export interface KnownProcess {
  readonly pid: number;
  /** Of the last look at it: this one, if it is watched. */
  stat: PidStat;
  reapedTicks: number;
  /** Its cgroups; empty where they are not wanted or cannot be read. */
  unitPaths: UnitPaths;
  /** Its arguments; undefined until somebody puts them here. */
  argv: readonly string[] | undefined;
  /** Whether the arguments may have changed since they were put there. */
  isArgvOld: boolean;
  /** Whether it is looked at each time, from the next look on. */
  isWatched: boolean;
  /** In how many pid namespaces it has an id, 1 being ours alone; undefined where the kernel does not say. Never throws. */
  readonly namespaceDepth: () => number | undefined;
  /** Reads its `stat` now, unless this look has. Whether it is still the same process. Never throws. */
  readonly refresh: () => boolean;
}

/** What one look gives. */
export interface ProcessLook {
  readonly processes: ReadonlyMap<string, KnownProcess>;
  /** Those of which something may have changed that decides where they belong. */
  readonly changed: readonly KnownProcess[];
}

/** How the processes are looked at. */
export interface KnownProcessesOptions {
  /** A folder laid out like `/proc`. */
  readonly root: string;
  /** Whether cgroups are wanted. */
  readonly hasUnits: boolean;
}

/** Looks at the processes. */
export interface KnownProcesses {
  /** @throws What `Deno.readDirSync` throws */
  readonly look: (nowMs: number) => ProcessLook;
}

/** By then a program that somebody starts has its own name, arguments and cgroup. */
const YOUNG_MS = 3_000;

/** A process that changes its name or cgroup later is found so late. */
const AGAIN_MS = 10_000;

/** Above this a list costs less. Threads have pids too, and each one is tried. */
const BEGUN_LIMIT = 256;

const NONE: ReadonlySet<string> = new Set();

/** Spreads the looks at processes that were all seen first in the same one. */
const SPREAD = 7_919;

/** What is kept of a process beside what others may see. */
interface Entry extends KnownProcess {
  readonly folder: string;
  readonly sinceMs: number;
  /** As `refresh`, but what has not changed stays as it was: what is put in its place each time is collected late. */
  readonly isStillThere: () => boolean;
  /** The text of its cgroups; undefined until it was looked at for the first time. */
  cgroupText: string | undefined;
  nextMs: number;
  readInLook: number;
}

/** Makes the look; it is meant to live as long as the groups are looked at. */
export function createKnownProcesses({ root, hasUnits }: KnownProcessesOptions): KnownProcesses {
  const entries = new Map<string, Entry>();
  let lookNumber = 0;
  let lastPid: number | undefined;
  let pidBeforeLast: number | undefined;
  let listAgainMs = -Infinity;

  function look(nowMs: number): ProcessLook {
    lookNumber++;
    // A pid can be given out a moment before its process is there to be seen, so each is tried in two looks.
    const before = pidBeforeLast;
    pidBeforeLast = lastPid;
    lastPid = maybeParsed(`${root}/loadavg`, parseLoadavg)?.lastPid;
    const begun = nowMs < listAgainMs ? maybePidsBetween(before, lastPid) : undefined;
    const checked = begun === undefined ? takeList(nowMs) : takeBegun(begun, nowMs);
    const changed: Entry[] = [];
    for (const [name, known] of entries) {
      if (!known.isWatched && nowMs < known.nextMs && !checked.has(name)) continue;
      const { comm } = known.stat;
      const isSame = known.isWatched ? known.refresh() : known.isStillThere();
      const entry = isSame ? known : maybeNew(name, nowMs);
      if (entry === undefined) {
        entries.delete(name);
        continue;
      }
      if (!isSame) entries.set(name, entry);
      const isOther = !isSame || entry.cgroupText === undefined || entry.stat.comm !== comm;
      if (nowMs < entry.nextMs && !isOther) continue;
      if (settle(entry, nowMs) || isOther) changed.push(entry);
    }
    return { processes: entries, changed };
  }

  /**
   * Takes all processes that there are.
   *
   * @returns Known ones that are to be looked at: none
   * @throws What `Deno.readDirSync` throws
   */
  function takeList(nowMs: number): ReadonlySet<string> {
    const listed = new Set<string>();
    for (const { name } of Deno.readDirSync(root)) if (name >= "0" && name < ":") listed.add(name);
    for (const name of entries.keys()) if (!listed.has(name)) entries.delete(name);
    const sinceMs = lookNumber === 1 ? nowMs - YOUNG_MS : nowMs;
    for (const name of listed) if (!entries.has(name)) take(name, maybeNew(name, sinceMs));
    listAgainMs = nowMs + AGAIN_MS;
    return NONE;
  }

  /**
   * Takes the processes among pids that were given out.
   *
   * @returns Known ones that are to be looked at: their pids may have been given to others
   */
  function takeBegun(begun: readonly string[], nowMs: number): ReadonlySet<string> {
    const known = new Set<string>();
    for (const name of begun) {
      if (entries.has(name)) known.add(name);
      else if (isProcess(`${root}/${name}`, Number(name))) take(name, maybeNew(name, nowMs));
    }
    return known;
  }

  function take(name: string, entry: Entry | undefined): void {
    if (entry !== undefined) entries.set(name, entry);
  }

  function maybeNew(name: string, sinceMs: number): Entry | undefined {
    const folder = `${root}/${name}`;
    const read = maybeStat(folder, Number(name));
    if (read === undefined) return undefined;
    let depth: number | undefined;
    const entry: Entry = {
      pid: read.stat.pid,
      folder,
      sinceMs,
      nextMs: -Infinity,
      readInLook: lookNumber,
      stat: read.stat,
      reapedTicks: read.reapedTicks,
      unitPaths: [],
      argv: undefined,
      isArgvOld: true,
      isWatched: false,
      namespaceDepth(): number | undefined {
        if (depth === undefined) depth = parseNamespaceDepth(maybeText(`${folder}/status`) ?? "");
        return depth;
      },
      cgroupText: undefined,
      refresh(): boolean {
        if (entry.readInLook === lookNumber) return true;
        const again = maybeStat(folder, entry.pid);
        if (again === undefined || again.stat.startTicks !== entry.stat.startTicks) return false;
        entry.stat = again.stat;
        entry.reapedTicks = again.reapedTicks;
        entry.readInLook = lookNumber;
        return true;
      },
      isStillThere(): boolean {
        if (entry.readInLook === lookNumber) return true;
        const again = maybeStat(folder, entry.pid)?.stat;
        if (again === undefined || again.startTicks !== entry.stat.startTicks) return false;
        const { comm, ppid, state } = entry.stat;
        if (again.comm !== comm || again.ppid !== ppid || again.state !== state) entry.stat = again;
        return true;
      },
    };
    return entry;
  }

  /** Reads what tells where it belongs. Whether its cgroups are others than before. */
  function settle(entry: Entry, nowMs: number): boolean {
    const isYoung = nowMs - entry.sinceMs < YOUNG_MS;
    const isFirstTime = entry.nextMs === -Infinity;
    entry.nextMs = isYoung ? nowMs : nowMs + (isFirstTime ? entry.pid * SPREAD % AGAIN_MS : AGAIN_MS);
    const before = entry.cgroupText ?? "";
    entry.cgroupText = before;
    // Of one that has ended it is told no more, and a thread of the kernel is in no group.
    if (!isLiveProgram(entry.stat)) return false;
    entry.isArgvOld = true;
    const text = hasUnits ? maybeText(`${entry.folder}/cgroup`) : undefined;
    if (text === undefined || text === before) return false;
    entry.cgroupText = text;
    entry.unitPaths = maybeUnitPaths(text) ?? entry.unitPaths;
    return true;
  }

  return { look };
}

function maybeStat(
  folder: string,
  pid: number,
): { readonly stat: PidStat; readonly reapedTicks: number } | undefined {
  const text = maybeText(`${folder}/stat`);
  if (text === undefined) return undefined;
  try {
    const stat = parsePidStat(text);
    const reapedTicks = parseReapedTicks(text);
    return stat.pid === pid && reapedTicks !== undefined ? { stat, reapedTicks } : undefined;
  } catch {
    return undefined;
  }
}

/** The pids after one up to another; undefined where that cannot be told, is too much, or began anew. */
function maybePidsBetween(
  before: number | undefined,
  last: number | undefined,
): readonly string[] | undefined {
  if (before === undefined || last === undefined || last < before || last - before > BEGUN_LIMIT) {
    return undefined;
  }
  return Array.from({ length: last - before }, (_, index) => `${before + 1 + index}`);
}

/** Whether a pid is that of a process, not of a thread. */
function isProcess(folder: string, pid: number): boolean {
  return parseTgid(maybeText(`${folder}/status`) ?? "") === pid;
}

function maybeUnitPaths(text: string): UnitPaths | undefined {
  try {
    return unitPathsOf(parsePidCgroup(text));
  } catch {
    return undefined;
  }
}
