/**
 * The processes of groups: of units, of the instances of a template, below a pid file, and of a name.
 *
 * All groups of a look come from one pass over the processes. What takes command lines, which may hang, comes after
 * the rest.
 */

import { messageOf } from "../../mod/errors.ts";
import { maybeTierIndex } from "../../mod/pressure/tier_unit.ts";
import type { GroupProcess, ProcessGroup } from "../../mod/pressure/sample.ts";
import {
  isNamed,
  mayBeNamed,
  type NameRule,
  needsArguments,
  unitsAmong,
} from "../../mod/processes/group_rule.ts";
import { isLiveProgram, processFromStat, type ProcessTable } from "../../mod/processes/process.ts";
import { isNginxName, isWebTierName } from "../../mod/processes/web_tier.ts";
import { failed, ok, type Reading, whyMissing } from "../../mod/reading.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import { type CmdlineReader, createCmdlineReader } from "../cmdline_reader.ts";
import { createKnownProcesses, type KnownProcess } from "./known_processes.ts";
import { pageKib } from "./page_size.ts";

/** What makes a group. */
export type GroupRule =
  | { readonly kind: "unit"; readonly unit: string }
  /** The process of a pid file with all that it started. */
  | { readonly kind: "pid-file"; readonly path: string }
  | { readonly kind: "name" } & NameRule;

/** Which groups are wanted. */
export interface GroupWish {
  /** By names of the caller's. */
  readonly rules: ReadonlyMap<string, GroupRule>;
  /** Template unit whose instances are wanted; empty is none. */
  readonly template: string;
  /** Whether the processes of php-fpm are wanted. */
  readonly hasFpm: boolean;
}

/** The groups of one look. */
export interface GroupLook {
  /** By the name of their rule: units and pid files. Failed where the processes cannot be read. */
  readonly groups: ReadonlyMap<string, Reading<ProcessGroup>>;
  /** The instances of the template that have processes, by index. */
  readonly instances: ReadonlyMap<number, ProcessGroup>;
  /** What takes command lines; comes within a quarter of a second, and never rejects. */
  readonly named: Promise<NamedGroups>;
}

/** What took command lines. */
export interface NamedGroups {
  /** By the name of their rule. Failed also where it cannot be told of a process whether it belongs there. */
  readonly groups: ReadonlyMap<string, Reading<ProcessGroup>>;
  /** Those of php-fpm alone. */
  readonly fpm: Reading<ProcessTable>;
}

/** Looks at the groups. */
export interface GroupReader {
  /** Never throws. */
  readonly look: () => GroupLook;
  /** Gives up reads that hang, so that the program can end by itself. */
  readonly close: () => void;
}

/** What the reader takes. */
export interface GroupPorts {
  /** A folder laid out like `/proc`. */
  readonly root: string;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Where pid files are. */
  readonly host: HostFiles;
  /** Default: one with a short deadline. */
  readonly cmdlines?: CmdlineReader;
}

/** All reads of a look may take five times as long. */
const CMDLINE_DEADLINE_MS = 50;

const PID = /^\s*([1-9]\d{0,9})\s*$/;

/** Where a process belongs. */
interface Place {
  /** Names of rules. */
  readonly units: readonly string[];
  readonly index: number | undefined;
  /** Names of rules that its comm fits. */
  readonly names: readonly string[];
  readonly isFpm: boolean;
}

const NOWHERE: Place = { units: [], index: undefined, names: [], isFpm: false };

/** Makes the reader of these groups. It remembers the processes, so it is meant to live as long as they are wanted. */
export function createGroupReader(ports: GroupPorts, wish: GroupWish): GroupReader {
  const { root, clock, host } = ports;
  const cmdlines = ports.cmdlines ?? createCmdlineReader({ root, deadlineMs: CMDLINE_DEADLINE_MS });
  const { units, pidFiles, names } = sorted(wish.rules);
  const known = createKnownProcesses({ root, hasUnits: units.size > 0 || wish.template !== "" });
  const places = new WeakMap<KnownProcess, Place>();
  const kibPerPage = pageKib(root);

  function placeOf(process: KnownProcess): Place {
    const { stat, unitPaths } = process;
    if (stat.isKernelThread) return NOWHERE;
    const candidates = [...names].filter(([, rule]) => mayBeNamed(stat.comm, rule)).map(([name]) => name);
    const isFpm = wish.hasFpm && isWebTierName(stat.comm) && !isNginxName(stat.comm);
    const byUnit = (isContained: boolean): Pick<Place, "units" | "index"> => {
      const found = unitsAmong(unitPaths, isContained);
      const indexes = wish.template === ""
        ? []
        : [...found].map((unit) => maybeTierIndex(wish.template, unit));
      return {
        units: [...units].filter(([, unit]) => found.has(unit)).map(([name]) => name),
        index: indexes.find((index) => index !== undefined),
      };
    };
    const own = byUnit(false);
    const isCandidate = candidates.length > 0 || isFpm || own.units.length > 0 || own.index !== undefined;
    if (!isCandidate) return NOWHERE;
    if (!isInContainer(process)) return { ...own, names: candidates, isFpm };
    const contained = byUnit(true);
    return contained.units.length === 0 && contained.index === undefined && !isFpm
      ? NOWHERE
      : { ...contained, names: [], isFpm };
  }

  /** Gives what has changed its place. One that has ended keeps the one it had. */
  function place(changed: readonly KnownProcess[]): void {
    for (const process of changed) {
      const before = places.get(process);
      if (before === undefined || isLiveProgram(process.stat)) places.set(process, placeOf(process));
    }
  }

  function look(): GroupLook {
    let processes: ReadonlyMap<string, KnownProcess>;
    try {
      const seen = known.look(clock.monotonicMs());
      processes = seen.processes;
      place(seen.changed);
    } catch (error) {
      return failedLook(`Cannot list the processes of ${root}: ${messageOf(error)}`);
    }
    if (processes.size === 0) return failedLook(`Cannot find a process in ${root} that can be read`);
    const byRule = new Map([...wish.rules.keys()].map((name) => [name, [] as KnownProcess[]]));
    const instances = new Map<number, KnownProcess[]>();
    const fpm: KnownProcess[] = [];
    for (const process of processes.values()) {
      const at = places.get(process) ?? NOWHERE;
      process.isWatched = at !== NOWHERE;
      if (!process.isWatched) continue;
      // One that was not watched until now has a `stat` of before.
      if (!process.refresh()) continue;
      for (const name of at.units) byRule.get(name)?.push(process);
      for (const name of at.names) byRule.get(name)?.push(process);
      if (at.index !== undefined) push(instances, at.index, process);
      if (at.isFpm) fpm.push(process);
    }
    const groups = new Map<string, Reading<ProcessGroup>>();
    for (const name of units.keys()) groups.set(name, ok(groupOf(byRule.get(name) ?? [], kibPerPage)));
    const below: KnownProcess[] = [];
    for (const [name, path] of pidFiles) {
      const found = belowPidFile(path, processes);
      if (found.kind === "ok") below.push(...found.value);
      groups.set(name, found.kind === "ok" ? ok(groupOf(found.value, kibPerPage)) : found);
    }
    for (const process of below) process.isWatched = true;
    return {
      groups,
      instances: new Map(
        [...instances].map(([index, found]) => [index, groupOf(found, kibPerPage)] as const)
          .filter(([, group]) => group.length > 0).sort(([one], [other]) => one - other),
      ),
      named: namedGroups(byRule, fpm, processes.size),
    };
  }

  /** The process that a pid file names, and all that descend from it; none where there is no such file or process. */
  function belowPidFile(
    path: string,
    processes: ReadonlyMap<string, KnownProcess>,
  ): Reading<readonly KnownProcess[]> {
    const text = host.readText(path);
    if (text.kind === "absent") return ok([]);
    if (text.kind === "failed") return text;
    const pid = PID.exec(text.value)?.[1];
    if (pid === undefined) return failed(`Cannot use "${path}": it holds no pid, expected one number`);
    const head = processes.get(pid);
    if (head === undefined || head.stat.isKernelThread || !head.refresh()) return ok([]);
    const children = new Map<number, KnownProcess[]>();
    for (const process of processes.values()) push(children, process.stat.ppid, process);
    const found = [head];
    for (const parent of found) {
      for (const child of children.get(parent.pid) ?? []) {
        // What is known of a parent may be old, and its pid another's by now: nobody is older than his parent.
        if (child.stat.startTicks < parent.stat.startTicks || found.includes(child)) continue;
        if (child.refresh() && child.stat.ppid === parent.pid && !isInContainer(child)) found.push(child);
      }
    }
    return ok(found);
  }

  async function namedGroups(
    byRule: ReadonlyMap<string, readonly KnownProcess[]>,
    fpm: readonly KnownProcess[],
    foundCount: number,
  ): Promise<NamedGroups> {
    const wanted = new Set(fpm);
    for (const [name, rule] of names) {
      if (needsArguments(rule)) { for (const process of byRule.get(name) ?? []) wanted.add(process); }
    }
    const problems = await readArguments([...wanted].filter(({ isArgvOld }) => isArgvOld), cmdlines);
    const groups = new Map([...names].map(([name, rule]) => {
      const candidates = byRule.get(name) ?? [];
      const unclear = needsArguments(rule) ? candidates.find(({ argv }) => argv === undefined) : undefined;
      if (unclear !== undefined) {
        return [name, failed(problems.get(unclear) ?? "its arguments are not known")];
      }
      const members = candidates.filter(({ argv }) => !needsArguments(rule) || isNamed(argv ?? [], rule));
      return [name, ok(groupOf(members, kibPerPage))];
    }));
    return { groups, fpm: ok(fpmTable(fpm, foundCount)) };
  }

  function failedLook(error: string): GroupLook {
    const all = new Map([...wish.rules.keys()].map((name) => [name, failed(error)]));
    return {
      groups: all,
      instances: new Map(),
      named: Promise.resolve({ groups: all, fpm: failed(error) }),
    };
  }

  return { look, close: cmdlines.close };
}

function sorted(rules: ReadonlyMap<string, GroupRule>): {
  readonly units: ReadonlyMap<string, string>;
  readonly pidFiles: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, NameRule>;
} {
  const units = new Map<string, string>();
  const pidFiles = new Map<string, string>();
  const names = new Map<string, NameRule>();
  for (const [name, rule] of rules) {
    switch (rule.kind) {
      case "unit":
        units.set(name, rule.unit);
        break;
      case "pid-file":
        pidFiles.set(name, rule.path);
        break;
      case "name":
        names.set(name, rule);
        break;
    }
  }
  return { units, pidFiles, names };
}

/**
 * Puts their arguments to processes.
 *
 * @returns Why those of a process could not be had
 */
async function readArguments(
  processes: readonly KnownProcess[],
  cmdlines: CmdlineReader,
): Promise<ReadonlyMap<KnownProcess, string>> {
  const problems = new Map<KnownProcess, string>();
  const live = processes.filter((process) => {
    if (isLiveProgram(process.stat)) return true;
    process.argv ??= [];
    return false;
  });
  if (live.length === 0) return problems;
  const keys = live.map(({ pid, stat }) => ({ pid, startTicks: stat.startTicks }));
  const readings = await cmdlines.readAll(keys);
  for (const [index, process] of live.entries()) {
    const reading = readings[index];
    if (reading?.kind === "ok") {
      process.argv = reading.value;
      process.isArgvOld = false;
    } else if (reading?.kind === "absent") {
      // It has ended since.
      process.argv ??= [];
    } else if (reading !== undefined) {
      problems.set(process, whyMissing(reading) ?? "");
    }
  }
  return problems;
}

/** One that cannot be told is ours: kernels that do not say have few containers. */
function isInContainer(process: KnownProcess): boolean {
  return (process.namespaceDepth() ?? 1) > 1;
}

/** By pid. What has ended counts with those that run, until its parent has its times; alone it is no group. */
function groupOf(processes: readonly KnownProcess[], kibPerPage: number): ProcessGroup {
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

function fpmTable(processes: readonly KnownProcess[], foundCount: number): ProcessTable {
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

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
