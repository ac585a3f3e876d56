/**
 * Makes JavaScript of a program and all that it imports.
 *
 * Those files are what is compiled. `deno compile` alone embeds every npm package of `deno.lock` whole, those of
 * tests too, under paths that name the registry, with the times at which files were written. A bundle holds
 * what the program reaches and nothing else, and is the same on every machine.
 *
 * What is imported when it is needed stays apart: a verb loads its own part of the program. Reading all of it took 30 ms at
 * each start, and 4 MB.
 */

import { basename, extname, join, relative } from "node:path";
import { runToolOk } from "./run_tool.ts";

const BUNDLE_DEADLINE_MS = 5 * 60_000;

/** A program as modules that import each other and else only the runtime's own: texts by name of file, the main one first. */
export type Bundle = ReadonlyMap<string, string>;

/**
 * Bundles a program. npm packages are checked against `deno.lock`.
 *
 * @param entry Path of the main module, relative to `root`
 * @param root Folder of the project, where `deno.json` is
 * @throws {ToolError} If the program does not bundle or `deno.lock` is not up to date
 */
export async function bundleProgram(entry: string, root: string): Promise<Bundle> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-bundle-" });
  try {
    await runToolOk(Deno.execPath(), {
      cwd: root,
      deadlineMs: BUNDLE_DEADLINE_MS,
      args: ["bundle", "--quiet", "--no-remote", "--frozen", "--code-splitting", "--outdir", folder, entry],
    });
    const npmCache = relative(root, await npmCacheOf(root));
    const texts = new Map<string, string>();
    for (const { name } of Deno.readDirSync(folder)) {
      texts.set(name, withoutCachePaths(await Deno.readTextFile(join(folder, name)), npmCache));
    }
    return withSteadyNames(texts, `${basename(entry, extname(entry))}.js`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Writes the modules of a bundle into a folder.
 *
 * @returns Path of the main one
 */
export async function writeBundle(bundle: Bundle, folder: string): Promise<string> {
  for (const [name, text] of bundle) await Deno.writeTextFile(join(folder, name), text);
  const [main = ""] = bundle.keys();
  return join(folder, main);
}

/**
 * The folder where Deno keeps npm packages, in a folder for each registry.
 *
 * @throws {ToolError} If Deno does not say it
 */
export async function npmCacheOf(root: string): Promise<string> {
  const said = await runToolOk(Deno.execPath(), {
    cwd: root,
    deadlineMs: BUNDLE_DEADLINE_MS,
    args: ["info", "--json"],
  });
  return (JSON.parse(said) as { readonly npmCache: string }).npmCache;
}

/**
 * A bundle in which npm modules are named `npm:NAME/VERSION/FILE` instead of by their place in this machine's
 * cache, which also names the registry that they came from.
 *
 * @param code The bundle
 * @param npmCache The cache of npm packages as the bundle spells it, relative to where it was made
 */
export function withoutCachePaths(code: string, npmCache: string): string {
  const prefix = join(npmCache, "/").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return code.replace(new RegExp(`${prefix}[^/\\s"]+/`, "g"), "npm:");
}

/**
 * A bundle whose modules are named in the order in which they are reached. The bundler names them by sums of their texts,
 * in which places of this machine's cache are.
 *
 * @param texts By the bundler's names
 * @param main Name of the main module
 * @throws {Error} If it is not there
 */
export function withSteadyNames(texts: ReadonlyMap<string, string>, main: string): Bundle {
  const names = new Map([[main, main]]);
  // What is added while it is gone through is gone through too.
  for (const name of names.keys()) {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`Cannot bundle: there is no ${name}`);
    for (const [, imported = ""] of text.matchAll(IMPORTED)) {
      if (!texts.has(imported) || names.has(imported)) continue;
      names.set(imported, imported.replace(/-[0-9A-Z]+\.js$/, `-${names.size}.js`));
    }
  }
  return new Map([...names].map(([name, steady]) => [
    steady,
    (texts.get(name) ?? "").replace(IMPORTED, (whole, imported) => {
      const steadyImported = names.get(imported);
      return steadyImported === undefined ? whole : `"./${steadyImported}"`;
    }),
  ]));
}

/** A module beside this one, as it is imported. */
const IMPORTED = /"\.\/([\w-]+\.js)"/g;
