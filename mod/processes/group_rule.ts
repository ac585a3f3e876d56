/**
 * Which processes belong to a group: those of a unit, or those of a name.
 *
 *     0::/system.slice/system-web.slice/web@1.service          of web@1.service, and of system-web.slice
 *     0::/user.slice/user-1000.slice/user@1000.service/app.slice/shop.service
 *     0::/system.slice/docker-1f0c.scope/system.slice/web@1.service      a container's own
 */

import type { PidCgroup } from "../proc/pid_cgroup.ts";
import { commOf, isAmbiguousComm } from "./comm.ts";
import { baseName, programOf } from "./program.ts";

/** Where a process stands among the cgroups of systemd, from the root on; two where v1 and v2 are both mounted. */
export type UnitPaths = readonly (readonly string[])[];

/** A name that processes have. */
export interface NameRule {
  /** The base name of a program or script, or a name that it gave itself. */
  readonly process: string;
  /** An argument that must be among those of the process, exactly; empty is any. */
  readonly argument: string;
}

/** What is between the root and a unit of the host itself: slices, and a user's own systemd. */
const ABOVE_OWN_UNITS = /\.slice$|^user@\d+\.service$/;

/** systemd puts this before names that would mean something else to the kernel, as `cpu.service`. */
const ESCAPE = "_";

/** The paths that tell units. Never throws. */
export function unitPathsOf({ v2Path, v1Paths }: PidCgroup): UnitPaths {
  const paths = new Set([v1Paths["name=systemd"], v2Path]);
  return [...paths].flatMap((path) =>
    path === undefined ? [] : [path.replace(/ \(deleted\)$/, "").split("/").filter((part) => part !== "")]
  );
}

/**
 * The names of the units on the way to a process. Never throws.
 *
 * @param isContained It lives in a pid namespace below ours. Then only what our own systemd has set up counts, not the
 * units inside of the container
 */
export function unitsAmong(paths: UnitPaths, isContained: boolean): ReadonlySet<string> {
  const units = new Set<string>();
  for (const parts of paths) {
    for (const part of parts) {
      units.add(part);
      if (part.startsWith(ESCAPE)) units.add(part.slice(ESCAPE.length));
      if (isContained && !ABOVE_OWN_UNITS.test(part)) break;
    }
  }
  return units;
}

/** Whether a process of this comm may be meant; whether it is may take its arguments. Never throws. */
export function mayBeNamed(comm: string, { process }: NameRule): boolean {
  return comm === commOf(process);
}

/** Whether only the arguments tell if a process of the comm is meant. Never throws. */
export function needsArguments({ process, argument }: NameRule): boolean {
  return argument !== "" || isAmbiguousComm(process);
}

/**
 * Whether a process is meant whose comm fits. Where the comm is so long that something may have been cut off, the
 * program tells, unless the comm is not the program's: then the process named itself, and nothing was cut off that
 * could be known. Never throws.
 *
 * @param argv Its arguments; empty for a zombie
 */
export function isNamed(argv: readonly string[], { process, argument }: NameRule): boolean {
  if (argument !== "" && !argv.includes(argument, 1)) return false;
  if (!isAmbiguousComm(process)) return true;
  const program = programOf(argv);
  if (program === undefined) return false;
  const names = [program.name, ...program.script === undefined ? [] : [baseName(program.script)]];
  const ofThisComm = names.filter((name) => commOf(name) === commOf(process));
  return ofThisComm.length === 0 ? commOf(process) === process : ofThisComm.includes(process);
}
