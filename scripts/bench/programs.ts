/** Compiles the small programs that a measurement takes. */

import { join } from "node:path";
import { compileModule } from "../compile_module.ts";
import { PROJECT } from "../project_files.ts";

/** Folder of the compiled programs, below `dist`, where a world sees it. */
const FOLDER = join(PROJECT, "dist", "bench");

/** Removes what was compiled: `dist/` is to hold what users get. */
export async function removePrograms(): Promise<void> {
  await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
}

/**
 * Compiles `scripts/bench/loops/NAME.ts` for this machine.
 *
 * @returns Path of the program
 */
export async function compileBench(name: string): Promise<string> {
  await Deno.mkdir(FOLDER, { recursive: true });
  const output = join(FOLDER, name);
  await compileModule(`scripts/bench/loops/${name}.ts`, output);
  return output;
}
