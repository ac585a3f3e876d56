/**
 * Makes one JavaScript file of a program and all that it imports.
 *
 * That file is what is compiled. `deno compile` alone embeds every npm package of `deno.lock` whole, those of
 * tests too, under paths that name the registry, with the times at which files were written. A bundle holds
 * what the program reaches and nothing else, is the same on every machine, starts sooner and takes
 * 4 MB less memory.
 */

import { join, relative } from "node:path";
import { runToolOk } from "./run_tool.ts";

const BUNDLE_DEADLINE_MS = 5 * 60_000;

/**
 * Bundles a program. npm packages are checked against `deno.lock`.
 *
 * @param entry Path of the main module, relative to `root`
 * @param root Folder of the project, where `deno.json` is
 * @returns The text of one module without imports, but for those of the runtime itself
 * @throws {ToolError} If the program does not bundle or `deno.lock` is not up to date
 */
export async function bundleProgram(entry: string, root: string): Promise<string> {
  const code = await runToolOk(Deno.execPath(), {
    cwd: root,
    deadlineMs: BUNDLE_DEADLINE_MS,
    args: ["bundle", "--quiet", "--no-remote", "--frozen", entry],
  });
  return withoutCachePaths(code, relative(root, await npmCacheOf(root)));
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
