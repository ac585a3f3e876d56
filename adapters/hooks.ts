/**
 * Runs the hooks of the host's owner: after the action, in the background, and never in the way of the next
 * one.
 *
 * What runs here runs as root, so only a program will do that nobody but root can have written. It is looked
 * at again each time: a file that was fine yesterday may have been given away.
 */

import { messageOf } from "../mod/errors.ts";
import { HOOK_FOLDER, type HookName, type HookPayload, renderHookInput } from "../mod/hooks/hook.ts";
import type { RunCommand } from "./command.ts";
import { whyDistrusted } from "./trusted_file.ts";

/** What became of a hook. */
export type HookOutcome =
  /** There is no such hook on this host, which is usual. */
  | { readonly kind: "absent" }
  /** It was not run: what was seen, what was expected, and the cure. */
  | { readonly kind: "refused"; readonly error: string }
  | {
    readonly kind: "ran";
    readonly code: number;
    /** The end of what it printed to both streams. */
    readonly output: string;
    readonly tookMs: number;
  }
  /** It ran over its deadline and was killed, with what it had started. */
  | { readonly kind: "timed-out"; readonly output: string; readonly deadlineMs: number };

/** What a hook is run with. */
export interface HookPorts {
  readonly run: RunCommand;
  /** How long this one may run. */
  readonly deadlineMs: number;
  /** Where hooks are; tests bring their own. */
  readonly folder?: string;
  /** Whether to make sure that only root may write it. */
  readonly asRoot: boolean;
}

/** Output kept of a hook, in characters: enough for what went wrong, little enough for a log line. */
const OUTPUT_LIMIT = 2_000;

/** Any of the three bits that let somebody execute a file. */
const EXECUTABLE = 0o111;

/** In a folder with this bit only the owner of a file may replace it. */
const STICKY = 0o1000;

/** Runs a hook and waits for its end or its deadline. Never rejects. */
export async function runHook(name: HookName, payload: HookPayload, ports: HookPorts): Promise<HookOutcome> {
  const { run, deadlineMs, asRoot, folder = HOOK_FOLDER } = ports;
  const path = `${folder}/${name}`;
  try {
    const refusal = await whyRefused(path, await Deno.lstat(path), asRoot);
    if (refusal !== undefined) return { kind: "refused", error: `Cannot run ${path}: ${refusal}` };
    const result = await run(path, [], { deadlineMs, stdin: renderHookInput(name, payload) });
    const output = `${result.stdout}${result.stderr}`.trim().slice(-OUTPUT_LIMIT);
    return result.timedOut
      ? { kind: "timed-out", output, deadlineMs }
      : { kind: "ran", code: result.code, output, tookMs: result.tookMs };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "absent" };
    return { kind: "refused", error: `Cannot run ${path}: ${messageOf(error)}` };
  }
}

/** Why a hook is not run, in words; undefined when it may run. */
async function whyRefused(
  path: string,
  info: Deno.FileInfo,
  asRoot: boolean,
): Promise<string | undefined> {
  if (info.isSymlink) return "a link, expected the program itself, or a script that starts it";
  if (!info.isFile) return "not a regular file";
  if (((info.mode ?? 0) & EXECUTABLE) === 0) return `not executable (run: chmod u+x ${path})`;
  if (!asRoot) return undefined;
  return whyDistrusted(info, path) ?? await whyDistrustedFolders(path);
}

/**
 * Why somebody else than root could put another program in this place: each folder above it is root's,
 * written by nobody else, and no link. Those that this program may not look at are not checked.
 */
async function whyDistrustedFolders(path: string): Promise<string | undefined> {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    const info = await maybeLstat(folder);
    if (info === undefined) continue;
    if (info.isSymlink) return `in folder ${folder}, which is a link, expected a folder`;
    // In a folder of root's with the sticky bit, as /tmp, nobody replaces what is root's.
    if (info.uid === 0 && ((info.mode ?? 0) & STICKY) !== 0) continue;
    const distrust = whyDistrusted(info, folder);
    if (distrust !== undefined) return `in folder ${folder}: ${distrust}`;
  }
  return undefined;
}

/** A folder as it is; undefined where the sandbox does not let this program look. */
async function maybeLstat(folder: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(folder);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** What a runner works with. */
export interface HookRunnerPorts {
  readonly run: RunCommand;
  readonly deadlineMs: number;
  readonly folder?: string;
  readonly asRoot: boolean;
  /** Told what became of each hook that is there. */
  readonly report: (
    name: HookName,
    outcome: HookOutcome | { readonly kind: "skipped"; readonly error: string },
  ) => void;
}

/** Runs hooks in the background. Nothing here throws or rejects. */
export interface HookRunner {
  /** Takes a hook and returns at once. */
  readonly start: (name: HookName, payload: HookPayload) => void;
  /** Settles when no hook runs or waits. */
  readonly idle: () => Promise<void>;
}

/**
 * Hooks that undo each other run one after the other: a slow `pause` that ended after `resume` would leave
 * the opposite of what is.
 */
const LANES: Readonly<Partial<Record<HookName, string>>> = {
  "spider-on": "crawlers",
  "spider-off": "crawlers",
  "pause": "web",
  "resume": "web",
};

/** Hooks that come with every pass: one that is still running is not started again. */
const PERIODIC: ReadonlySet<HookName> = new Set<HookName>(["fanout", "proc-control"]);

/**
 * Waiting behind one that hangs; of more, the oldest are left out, because the newest say how things stand.
 */
const WAITING_LIMIT = 4;

/** A hook that waits for its turn. */
interface Turn {
  readonly name: HookName;
  readonly payload: HookPayload;
}

/** A runner with nothing to do yet. */
export function createHookRunner({ report, ...ports }: HookRunnerPorts): HookRunner {
  const lanes = new Map<string, { readonly turns: Turn[]; readonly done: Promise<void> }>();

  async function work(lane: string, turns: Turn[]): Promise<void> {
    for (let turn = turns[0]; turn !== undefined; turn = turns[0]) {
      const outcome = await runHook(turn.name, turn.payload, ports);
      turns.shift();
      if (outcome.kind !== "absent") reportSafely(turn.name, outcome);
    }
    lanes.delete(lane);
  }

  function reportSafely(...args: Parameters<typeof report>): void {
    try {
      report(...args);
    } catch {
      // A log that cannot be written keeps no hook from running.
    }
  }

  return {
    start(name: HookName, payload: HookPayload): void {
      const lane = LANES[name] ?? name;
      const running = lanes.get(lane);
      if (running === undefined) {
        const turns = [{ name, payload }];
        lanes.set(lane, { turns, done: work(lane, turns) });
        return;
      }
      if (PERIODIC.has(name)) {
        reportSafely(name, { kind: "skipped", error: "the one before is still running" });
        return;
      }
      running.turns.push({ name, payload });
      if (running.turns.length <= WAITING_LIMIT + 1) return;
      // The first one is the one that runs.
      const [left] = running.turns.splice(1, 1);
      if (left !== undefined) {
        reportSafely(left.name, { kind: "skipped", error: `more than ${WAITING_LIMIT} are waiting` });
      }
    },
    async idle(): Promise<void> {
      await Promise.all([...lanes.values()].map(({ done }) => done));
    },
  };
}

/**
 * An outcome as one line for the log; undefined for one that went well and is of no interest. Never throws.
 */
export function hookFailureText(
  name: HookName,
  outcome: HookOutcome | { readonly kind: "skipped"; readonly error: string },
): string | undefined {
  switch (outcome.kind) {
    case "absent":
      return undefined;
    case "refused":
      return outcome.error;
    case "skipped":
      return `hook ${name} left out: ${outcome.error}`;
    case "timed-out":
      return `hook ${name} killed after ${outcome.deadlineMs} ms${printedText(outcome.output)}`;
    case "ran":
      return outcome.code === 0
        ? undefined
        : `hook ${name} exited ${outcome.code}${printedText(outcome.output)}`;
  }
}

function printedText(output: string): string {
  const line = output.replace(/\s+/g, " ");
  return line === "" ? "" : `: ${line}`;
}
