/** Compiles the small programs that a measurement takes, as the binary is compiled: same flags, same permissions. */

import { join } from "node:path";
import { PROJECT } from "../../test/world.ts";
import { bundleProgram } from "../bundle.ts";
import { compileProgram } from "../compile_program.ts";
import { findRuntime, runtimeCacheDir } from "../runtime.ts";
import { TARGETS } from "../targets.ts";

/** Folder of the compiled programs, below `dist`, where a world sees it. */
const FOLDER = join(PROJECT, "dist", "bench");

/**
 * Compiles `scripts/bench/NAME.ts` for this machine.
 *
 * @returns Path of the program
 */
export async function compileBench(name: string): Promise<string> {
  const target = TARGETS.find(({ arch }) => arch === Deno.build.arch);
  if (target === undefined) throw new Error(`Cannot measure on ${Deno.build.arch}: no binary is made for it`);
  const getEnv = (variable: string): string | undefined => Deno.env.get(variable);
  const runtime = await findRuntime(target, {
    denortBin: getEnv("DENORT_BIN"),
    cacheDir: runtimeCacheDir(getEnv, PROJECT),
    log: () => {},
  });
  await Deno.mkdir(FOLDER, { recursive: true });
  const output = join(FOLDER, name);
  await compileProgram({
    code: await bundleProgram(`scripts/bench/${name}.ts`, PROJECT),
    target,
    runtime,
    output,
  });
  return output;
}
