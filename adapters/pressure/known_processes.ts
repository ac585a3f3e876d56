/**
 * All processes of a proc root, and what tells to which groups they belong, kept from look to look.
 *
 * Each look lists the pids, and reads the `stat` of those that are watched. Of another process hardly anything
 * changes: it is looked at when it is new, in each look while it is young, because a program is started by a process
 * of another name, and then every ten seconds. A pid that is given out again shows by its start time.
 */

import { parsePidCgroup } from "../../mod/proc/pid_cgroup.ts";
import { parseReapedTicks } from "../../mod/proc/pid_reaped.ts";
import { parsePidStat, type PidStat } from "../../mod/proc/pid_stat.ts";
import { type UnitPaths, unitPathsOf } from "../../mod/processes/group_rule.ts";
import { parseNamespaceDepth } from "../../mod/processes/pid_namespace.ts";
import { isLiveProgram } from "../../mod/processes/process.ts";
import { maybeText } from "../quiet_file.ts";

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

/** Spreads the looks at processes that were all seen first in the same one. */
const SPREAD = 7_919;

/** What is kept of a process beside what others may see. */
interface Entry extends KnownProcess {
  readonly folder: string;
  readonly sinceMs: number;
  nextMs: number;
  readInLook: number;
}

/** Makes the look; it is meant to live as long as the groups are looked at. */
export function createKnownProcesses({ root, hasUnits }: KnownProcessesOptions): KnownProcesses {
  let entries = new Map<string, Entry>();
  let lookNumber = 0;

  function look(nowMs: number): ProcessLook {
    lookNumber++;
    const isFirst = lookNumber === 1;
    const now = new Map<string, Entry>();
    const changed: Entry[] = [];
    for (const { name } of Deno.readDirSync(root)) {
      if (!(name >= "0" && name < ":")) continue;
      const known = entries.get(name);
      if (known !== undefined && !known.isWatched && nowMs < known.nextMs) {
        now.set(name, known);
        continue;
      }
      const comm = known?.stat.comm;
      const isSame = known?.refresh() ?? false;
      const entry = isSame ? known : maybeNew(name, isFirst ? nowMs - YOUNG_MS : nowMs);
      if (entry === undefined) continue;
      now.set(name, entry);
      if (nowMs >= entry.nextMs || entry.stat.comm !== comm) {
        settle(entry, nowMs);
        changed.push(entry);
      }
    }
    entries = now;
    return { processes: now, changed };
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
      refresh(): boolean {
        if (entry.readInLook === lookNumber) return true;
        const again = maybeStat(folder, entry.pid);
        if (again === undefined || again.stat.startTicks !== entry.stat.startTicks) return false;
        entry.stat = again.stat;
        entry.reapedTicks = again.reapedTicks;
        entry.readInLook = lookNumber;
        return true;
      },
    };
    return entry;
  }

  /** Reads what tells where it belongs; of one that has ended that is told no more. */
  function settle(entry: Entry, nowMs: number): void {
    const isYoung = nowMs - entry.sinceMs < YOUNG_MS;
    const isFirstTime = entry.nextMs === -Infinity;
    entry.nextMs = isYoung ? nowMs : nowMs + (isFirstTime ? entry.pid * SPREAD % AGAIN_MS : AGAIN_MS);
    if (!isLiveProgram(entry.stat)) return;
    entry.isArgvOld = true;
    if (hasUnits) entry.unitPaths = maybeUnitPaths(entry.folder) ?? entry.unitPaths;
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

function maybeUnitPaths(folder: string): UnitPaths | undefined {
  const text = maybeText(`${folder}/cgroup`);
  if (text === undefined) return undefined;
  try {
    return unitPathsOf(parsePidCgroup(text));
  } catch {
    return undefined;
  }
}
