/**
 * The processes of groups: of units, of the instances of a template, below a pid file, and of a name.
 *
 * All groups of a look come from one pass over the processes. What takes command lines, which may hang, comes after
 * the rest.
 */

import { messageOf } from "../../mod/errors.ts";
import type { ProcessGroup } from "../../mod/pressure/sample.ts";
import { isNamed, type NameRule, needsArguments } from "../../mod/processes/group_rule.ts";
import { isLiveProgram, type ProcessTable } from "../../mod/processes/process.ts";
import { failed, ok, type Reading, whyMissing } from "../../mod/reading.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import { type CmdlineReader, createCmdlineReader } from "../cmdline_reader.ts";
import { belowPidFile } from "./below_pid_file.ts";
import { fpmTable, groupOf } from "./group_figures.ts";
import { NOWHERE, type Place, placeOf } from "./group_place.ts";
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

/** Makes the reader of these groups. It remembers the processes, so it is meant to live as long as they are wanted. */
export function createGroupReader(ports: GroupPorts, wish: GroupWish): GroupReader {
  const { root, clock, host } = ports;
  const cmdlines = ports.cmdlines ?? createCmdlineReader({ root, deadlineMs: CMDLINE_DEADLINE_MS });
  const { units, pidFiles, names } = sorted(wish.rules);
  const placeRules = { units, names, template: wish.template, hasFpm: wish.hasFpm };
  const known = createKnownProcesses({ root, hasUnits: units.size > 0 || wish.template !== "" });
  const places = new WeakMap<KnownProcess, Place>();
  const kibPerPage = pageKib(root);

  /** Gives what has changed its place. One that has ended keeps the one it had. */
  function place(changed: readonly KnownProcess[]): void {
    for (const process of changed) {
      const before = places.get(process);
      if (before === undefined || isLiveProgram(process.stat)) {
        places.set(process, placeOf(process, placeRules));
      }
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
    const ofTemplate: { readonly index: number; readonly process: KnownProcess }[] = [];
    const fpm: KnownProcess[] = [];
    for (const process of processes.values()) {
      const at = places.get(process) ?? NOWHERE;
      process.isWatched = at !== NOWHERE;
      if (!process.isWatched) continue;
      // One that was not watched until now has a `stat` of before.
      if (!process.refresh()) continue;
      for (const name of at.units) byRule.get(name)?.push(process);
      for (const name of at.names) byRule.get(name)?.push(process);
      if (at.index !== undefined) ofTemplate.push({ index: at.index, process });
      if (at.isFpm) fpm.push(process);
    }
    const groups = new Map<string, Reading<ProcessGroup>>();
    for (const name of units.keys()) groups.set(name, ok(groupOf(byRule.get(name) ?? [], kibPerPage)));
    const below: KnownProcess[] = [];
    for (const [name, path] of pidFiles) {
      const found = belowPidFile(path, processes, host);
      if (found.kind === "ok") below.push(...found.value);
      groups.set(name, found.kind === "ok" ? ok(groupOf(found.value, kibPerPage)) : found);
    }
    for (const process of below) process.isWatched = true;
    return {
      groups,
      instances: new Map(
        [...Map.groupBy(ofTemplate, ({ index }) => index)]
          .map(([index, found]) => [index, groupOf(found.map(({ process }) => process), kibPerPage)] as const)
          .filter(([, group]) => group.length > 0).sort(([one], [other]) => one - other),
      ),
      named: namedGroups(byRule, fpm, processes.size),
    };
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
