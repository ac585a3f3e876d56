/**
 * Runs other programs: the only place that does.
 *
 * Each runs in a process group of its own with a fixed environment, a deadline and bounded output. At the deadline the
 * whole group is killed: a signal to the direct child alone would leave its children behind, holding the pipes open.
 */

import { messageOf } from "../mod/errors.ts";
import { deadlineOf } from "./deadline.ts";
import { toolPaths } from "./host_tool.ts";

/** How a program ended. */
export interface CommandResult {
  /** Exit code; 128 + signal number when a signal ended it, 127 when it could not be started. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The deadline passed and the process group was killed. */
  readonly timedOut: boolean;
  /** From start to end. */
  readonly tookMs: number;
}

/** Limits of one run. */
export interface CommandOptions {
  /** Wall time after which the process group is killed. */
  readonly deadlineMs: number;
  /** Text for standard input; none when absent. */
  readonly stdin?: string;
  /** Variables beside those that every program sees; none when absent. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program by its full path. Never throws: what went wrong is in the result. */
export type RunCommand = (
  program: string,
  args: readonly string[],
  options: CommandOptions,
) => Promise<CommandResult>;

/** Output kept of each stream, in bytes; `ps` of 20 000 processes fits, a runaway hook does not fill memory. */
const OUTPUT_LIMIT = 8 * 1024 * 1024;

/** What every program sees. `LD_*` and locale settings of the caller stay out; messages are in English. */
const ENVIRONMENT = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

const NOT_STARTED = 127;

/** 128 + SIGKILL, as a shell reports it. */
const KILLED = 137;

/** How long output may still come after the program has ended. */
const DRAIN_MS = 250;

/** Runs a program and waits for its end or its deadline. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { deadlineMs, stdin, environment = {} }: CommandOptions,
): Promise<CommandResult> {
  const startedMs = performance.now();
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args: [...args],
      clearEnv: true,
      env: { ...environment, ...ENVIRONMENT },
      detached: true,
      stdin: stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    return { code: NOT_STARTED, stdout: "", stderr: messageOf(error), timedOut: false, tookMs: 0 };
  }
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  if (stdin !== undefined) feed(child, stdin);
  const status = await deadlineOf(deadlineMs, child.status);
  if (status === undefined) {
    killGroup(child);
    // A task in uninterruptible sleep does not even die at once: nobody waits for it.
    child.unref();
  }
  // A daemon that the program started may hold the pipes for ever; it is not waited for, and not killed.
  await deadlineOf(status === undefined ? 0 : DRAIN_MS, Promise.all([stdout.done, stderr.done]));
  stdout.stop();
  stderr.stop();
  return {
    code: status?.code ?? KILLED,
    stdout: stdout.text(),
    stderr: stderr.text(),
    timedOut: status === undefined,
    tookMs: performance.now() - startedMs,
  };
}

/**
 * Kills the process group of a program; one that has ended already is no error. On a host that has no memory or no pid
 * left for `kill`, the program alone is killed.
 */
function killGroup(child: Deno.ChildProcess): void {
  if (!toolPaths("kill").some((program) => isSpawned(program, ["-KILL", "--", `-${child.pid}`]))) {
    killAlone(child);
  }
}

/** Starts a program that nobody waits for. Whether it could be started. */
function isSpawned(program: string, args: readonly string[]): boolean {
  try {
    new Deno.Command(program, {
      args: [...args],
      clearEnv: true,
      env: ENVIRONMENT,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
    return true;
  } catch {
    return false;
  }
}

function killAlone(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

async function feed(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // A program that ends without reading its input is judged by its exit code.
  }
}

/** A stream being read, up to the limit; the rest is read and dropped, so that the program does not block. */
interface Collected {
  readonly done: Promise<void>;
  readonly stop: () => void;
  readonly text: () => string;
}

function collect(stream: ReadableStream<Uint8Array>): Collected {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  async function pump(): Promise<void> {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      if (size < OUTPUT_LIMIT) chunks.push(value.subarray(0, OUTPUT_LIMIT - size));
      size += value.length;
    }
  }
  return {
    done: pump().catch(() => {}),
    stop: (): void => void reader.cancel().catch(() => {}),
    text: (): string => {
      const decoder = new TextDecoder();
      return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
    },
  };
}
