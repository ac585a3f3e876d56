/** Runs the tools that a build takes, each with a deadline. */

import { basename } from "node:path";

/** How much of a command line an error shows, in characters: the permissions alone would fill a screen. */
const LINE_LIMIT = 100;

/** What became of a tool. */
export interface ToolResult {
  /** Exit code; 128 + N when signal N ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a tool is run. */
export interface ToolOptions {
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the tool and all that it started are killed. */
  readonly deadlineMs: number;
}

/** Thrown when a tool is missing, fails or runs over its deadline. The message holds what it said. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/**
 * Runs a tool and gives back what it printed, whatever its exit code. It has no standard input.
 *
 * @throws {ToolError} If it cannot be started, or was still running at its deadline
 */
export async function runTool(program: string, options: ToolOptions): Promise<ToolResult> {
  const what = describe(program, options.args);
  const child = spawn(program, options, what);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killGroup(child.pid);
  }, options.deadlineMs);
  const output = await child.output();
  clearTimeout(timer);
  if (late) {
    throw new ToolError(`Cannot finish "${what}": still running after ${options.deadlineMs} ms, killed`);
  }
  const decoder = new TextDecoder();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}

/**
 * Runs a tool that must succeed and gives back its standard output.
 *
 * @throws {ToolError} As `runTool`, and if it exits with another code than 0
 */
export async function runToolOk(program: string, options: ToolOptions): Promise<string> {
  const { code, stdout, stderr } = await runTool(program, options);
  if (code !== 0) {
    const said = withoutBacktrace(stderr + stdout).trim();
    throw new ToolError(`"${describe(program, options.args)}" exited ${code}: ${said}`);
  }
  return stdout;
}

/** What Deno said, without the addresses of its own stack that it adds to every error. */
export function withoutBacktrace(text: string): string {
  return text.replace(/\n*Stack backtrace:\n(\s+(\d+:|at ).*\n?)+/g, "\n");
}

/** Kills a tool with whatever it started: it leads a process group of its own. */
function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (error) {
    // All of them have ended in the meantime.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** A command line for an error: without the folder of the program, and cut where it gets long. */
function describe(program: string, args: readonly string[]): string {
  const line = [basename(program), ...args].join(" ");
  return line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line;
}

/** @throws {ToolError} If it cannot be started */
function spawn(program: string, { args, cwd, env }: ToolOptions, what: string): Deno.ChildProcess {
  try {
    return new Deno.Command(program, {
      args: [...args],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
      clearEnv: env !== undefined,
      ...(env === undefined ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
    }).spawn();
  } catch (error) {
    throw new ToolError(`Cannot start "${what}": ${error instanceof Error ? error.message : String(error)}`);
  }
}
