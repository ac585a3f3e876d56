/** Compiles a bundled program into one binary that may do what is listed and nothing else. */

import { join } from "node:path";
import { permissionFlags } from "../mod/permissions.ts";
import { type Bundle, writeBundle } from "./bundle.ts";
import { cutRuntime, verifyRuntime } from "./denort.ts";
import { runToolOk } from "./run_tool.ts";
import type { Target } from "./targets.ts";

const COMPILE_DEADLINE_MS = 10 * 60_000;

/**
 * V8 as an agent needs it: small, steady and without code made at run time.
 *
 * Measured against V8's defaults: memory stays at 57 MB where it grows past 73 MB, and a quiet pass takes
 * 0.13 ms of CPU where it takes 0.09. Without a JIT the binary also runs under systemd's
 * `MemoryDenyWriteExecute=yes`. Marking in steps doubled the heap of an agent that probes each time it came, for
 * good (102 MB after six minutes of two looks a second); marked at once it stays below 76 MB, after twelve
 * minutes of ten.
 */
export const V8_FLAGS: readonly string[] = [
  "--jitless",
  "--single-threaded",
  "--max-semi-space-size=1",
  "--no-incremental-marking",
];

/** What is compiled, for which machine, with which runtime and to where. */
export interface CompileOptions {
  readonly program: Bundle;
  readonly target: Target;
  /** Path of the runtime; undefined lets Deno download its own, which is then checked. */
  readonly runtime: string | undefined;
  /** Path of the binary; replaced whole, or left as it is when something fails. */
  readonly output: string;
}

/**
 * The arguments of `deno compile`, without the program.
 *
 * - `--deny-import`: the default would let the program import from eight sites.
 * - `--no-code-cache`: the default reads and writes `/tmp/deno-compile-NAME.cache`, where any local user
 *   could leave code for root to run.
 */
export function compileFlags(target: Pick<Target, "triple">, output: string): readonly string[] {
  return [
    ...["--quiet", "--no-config", "--no-lock", "--no-npm", "--no-remote", "--no-check", "--no-code-cache"],
    ...permissionFlags(),
    "--deny-import",
    `--v8-flags=${V8_FLAGS.join(",")}`,
    `--target=${target.triple}`,
    `--output=${output}`,
  ];
}

/**
 * Compiles a program. The same program and runtime give the same bytes, wherever and whenever it is done.
 *
 * @throws {ToolError} If `deno compile` fails
 * @throws {RuntimeError} If the runtime was downloaded and is not the pinned one
 */
export async function compileProgram({ program, target, runtime, output }: CompileOptions): Promise<void> {
  const work = await Deno.makeTempDir({ prefix: "loadweir-compile-" });
  // Beside its final place, so that the last step is a rename.
  const unchecked = `${output}.part`;
  try {
    const main = await writeBundle(program, work);
    // The time of each file is embedded; the Unix epoch stands for none.
    for (const name of program.keys()) await Deno.utime(join(work, name), 0, 0);
    await runToolOk(Deno.execPath(), {
      args: ["compile", ...compileFlags(target, unchecked), main],
      cwd: work,
      env: compileEnvironment(runtime),
      deadlineMs: COMPILE_DEADLINE_MS,
    });
    if (runtime === undefined) {
      const embedded = cutRuntime(await Deno.readFile(unchecked), target, "Deno's download");
      await verifyRuntime(embedded, target, "Deno's download");
    }
    await Deno.rename(unchecked, output);
  } finally {
    await Deno.remove(work, { recursive: true });
    await Deno.remove(unchecked).catch(() => undefined);
  }
}

/** This environment without what would end up in the binary, and with the runtime to use. */
function compileEnvironment(runtime: string | undefined): Record<string, string> {
  const { DENORT_BIN: _runtime, DENO_V8_FLAGS: _flags, ...env } = Deno.env.toObject();
  return runtime === undefined ? env : { ...env, DENORT_BIN: runtime };
}
