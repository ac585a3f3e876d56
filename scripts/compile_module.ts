/** Compiles a module of this project as the binary is compiled: same flags, same permissions, whatever runtime is at hand. */

import { bundleProgram } from "./bundle.ts";
import { compileProgram } from "./compile_program.ts";
import { PROJECT } from "./project_files.ts";
import { findRuntime, runtimeCacheDir } from "./runtime.ts";
import { type Target, TARGETS } from "./targets.ts";

/**
 * Compiles a module.
 *
 * @param entry Its path, relative to the project
 * @param output Path of the program
 * @param target Default: this machine
 * @throws {Error} If no binary is made for this machine
 * @throws {ToolError} If the module does not bundle or compile
 * @throws {RuntimeError} If there is no runtime, or not the pinned one
 */
export async function compileModule(entry: string, output: string, target = ownTarget()): Promise<void> {
  const getEnv = (variable: string): string | undefined => Deno.env.get(variable);
  const runtime = await findRuntime(target, {
    denortBin: getEnv("DENORT_BIN"),
    cacheDir: runtimeCacheDir(getEnv, PROJECT),
    log: () => {},
  });
  await compileProgram({ program: await bundleProgram(entry, PROJECT), target, runtime, output });
}

function ownTarget(): Target {
  const target = TARGETS.find(({ arch }) => arch === Deno.build.arch);
  if (target === undefined) {
    throw new Error(`Cannot compile for ${Deno.build.arch}: no binary is made for it`);
  }
  return target;
}
