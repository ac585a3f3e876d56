/**
 * Where the figures come from.
 *
 * The sandbox refuses `/proc` itself. A read-only bind mount of it elsewhere is readable, so that is looked for; without
 * one the kernel calls and the programs that are allowed take its place. Every output names the source in use.
 */

import { messageOf } from "../mod/errors.ts";
import { parseLoadavg } from "../mod/proc/loadavg.ts";

/** Where the service units mount `/proc` for the agent, read-only. */
export const BIND_MOUNT = "/run/loadweir/proc";

/** A folder laid out like `/proc`. */
export interface ProcRoot {
  readonly kind: "proc-root";
  readonly root: string;
  /** Short name for evidence lines. */
  readonly name: "procfs-flag" | "procfs-config" | "bind-mount" | "proc";
}

/** No proc root: system calls of the runtime, `/proc/pressure`, `ps` and `vmstat`. */
export interface KernelCalls {
  readonly kind: "kernel-calls";
  readonly name: "kernel-calls";
}

/** A source of readings. */
export type Source = ProcRoot | KernelCalls;

/** The source chosen, and why those that were tried before it were not. */
export interface SourceChoice {
  readonly source: Source;
  /** One line for each that was passed over and a person may want to know of. */
  readonly notes: readonly string[];
}

/** Thrown when the folder that a person named is no proc root: nothing else is taken in its place. */
export class ProcRootError extends Error {
  override readonly name = "ProcRootError";
}

/**
 * Chooses the source: the folder named on the command line, the one of the configuration, the bind mount, `/proc` where
 * the runtime allows it, else the kernel calls.
 *
 * @param named Value of `--procfs`; undefined when absent
 * @param configured Value of `[agent] procfs`; undefined when empty
 * @throws {ProcRootError} If the folder of `--procfs` is no proc root
 */
export function chooseSource(named: string | undefined, configured: string | undefined): SourceChoice {
  if (named !== undefined) {
    const problem = problemOfRoot(named);
    if (problem !== undefined) throw new ProcRootError(`Cannot use --procfs ${named}: ${problem}`);
    return { source: { kind: "proc-root", root: named, name: "procfs-flag" }, notes: [] };
  }
  const notes: string[] = [];
  if (configured !== undefined) {
    const problem = problemOfRoot(configured);
    if (problem === undefined) {
      return { source: { kind: "proc-root", root: configured, name: "procfs-config" }, notes };
    }
    notes.push(`Cannot use [agent] procfs = ${configured}: ${problem}; looking for another source`);
  }
  if (problemOfRoot(BIND_MOUNT) === undefined) {
    return { source: { kind: "proc-root", root: BIND_MOUNT, name: "bind-mount" }, notes };
  }
  if (problemOfRoot("/proc") === undefined) {
    return { source: { kind: "proc-root", root: "/proc", name: "proc" }, notes };
  }
  return { source: { kind: "kernel-calls", name: "kernel-calls" }, notes };
}

/** A source as people read it: `/run/loadweir/proc (bind mount)`. */
export function describeSource(source: Source): string {
  switch (source.name) {
    case "procfs-flag":
      return `${source.root} (--procfs)`;
    case "procfs-config":
      return `${source.root} ([agent] procfs)`;
    case "bind-mount":
      return `${source.root} (bind mount)`;
    case "proc":
      return `${source.root} (direct)`;
    case "kernel-calls":
      return "kernel calls, ps and vmstat (no proc root)";
  }
}

/** Why a folder cannot serve as proc root, or undefined when it can: its loadavg must be there and parse. */
function problemOfRoot(root: string): string | undefined {
  const path = `${root}/loadavg`;
  try {
    parseLoadavg(Deno.readTextFileSync(path), path);
    return undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      return `this binary may not read ${path}: it reads ${BIND_MOUNT} and what \`loadweir check\` lists, ` +
        `so mount it there as \`loadweir check\` says`;
    }
    return error instanceof Deno.errors.NotFound
      ? `there is no ${path}, expected a folder laid out like /proc`
      : messageOf(error);
  }
}
