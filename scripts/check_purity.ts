/**
 * Checks that `mod/` is pure: type-checks it with a library that holds the language and nothing else, in
 * which Deno, the console, timers, clocks and the network do not exist.
 *
 * What the language itself has of clocks and randomness is refused by the lint rule `loadweir/pure-core`.
 */

import { join } from "node:path";
import { messageOf } from "../mod/errors.ts";
import { isTestFile, listProjectFiles, PROJECT } from "./project_files.ts";
import { runTool, withoutBacktrace } from "./run_tool.ts";

const CHECK_DEADLINE_MS = 5 * 60_000;

/** What this takes of `deno.json`. */
interface DenoConfig {
  readonly imports?: Readonly<Record<string, string>>;
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

/**
 * The configuration of the project with the language as its only library and no ambient types.
 *
 * @param config Contents of `deno.json`
 */
export function pureConfig({ imports, compilerOptions }: DenoConfig): DenoConfig {
  return { imports: imports ?? {}, compilerOptions: { ...compilerOptions, lib: ["esnext"], types: [] } };
}

/**
 * Type-checks files as pure code.
 *
 * @param files Absolute paths
 * @param config Contents of `deno.json`
 * @returns The errors as Deno prints them; empty when there are none
 * @throws {ToolError} If Deno cannot be run
 */
export async function checkPurity(files: readonly string[], config: DenoConfig): Promise<string> {
  const work = await Deno.makeTempDir({ prefix: "loadweir-purity-" });
  try {
    const path = join(work, "deno.json");
    await Deno.writeTextFile(path, JSON.stringify(pureConfig(config)));
    const args = ["check", "--quiet", "--no-lock", "--config", path, ...files];
    const { code, stderr } = await runTool(Deno.execPath(), { args, deadlineMs: CHECK_DEADLINE_MS });
    return code === 0 ? "" : withoutBacktrace(stderr);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    const config = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json"))) as DenoConfig;
    const files = listProjectFiles(PROJECT, ["mod"]).filter((file) => !isTestFile(file));
    const errors = await checkPurity(files.map((file) => join(PROJECT, file)), config);
    if (errors !== "") {
      Deno.stderr.writeSync(new TextEncoder().encode(`mod/ is not pure:\n\n${errors}\n`));
      Deno.exit(1);
    }
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${messageOf(error)}\n`));
    Deno.exit(1);
  }
}
