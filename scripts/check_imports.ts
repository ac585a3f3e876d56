/**
 * Checks the direction of imports: data flows from the core outwards, and the core knows nothing of what is
 * around it.
 *
 *     main.ts ──► adapters/cli/ ──► adapters/ ──► mod/ ──► mod/proc/ ──► mod/errors.ts
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../mod/errors.ts";
import { isTestFile, listProjectFiles, PROJECT } from "./project_files.ts";
import { runToolOk } from "./run_tool.ts";

const INFO_DEADLINE_MS = 2 * 60_000;

/** One import, type-only ones too. */
export interface Import {
  /** The importing file, relative to the project. */
  readonly from: string;
  /** What is written there: `./errors.ts`, `cli-table3`, `npm:fast-check@4.11.0`. */
  readonly specifier: string;
  /** What it stands for: a path relative to the project, or `npm:…`, `node:…`, `jsr:…`, `https:…`. */
  readonly to: string;
}

/** A rule about single imports: what is said of one that breaks it, or undefined. */
type Rule = (imported: Import) => string | undefined;

/** The rules. Tests may import what they like, if it is pinned and comes from npm. */
const RULES: readonly Rule[] = [
  sourceRule("mod/", (to) => !isProjectFile(to) || to.startsWith("mod/"), "mod/ imports mod/ alone"),
  sourceRule("mod/", (to) => !to.startsWith("node:"), "mod/ is pure: no Node modules"),
  sourceRule("mod/proc/", (to) => to === "mod/errors.ts", "parsers import mod/errors.ts alone"),
  sourceRule(
    "adapters/",
    (to) => !isProjectFile(to) || /^(mod|adapters)\//.test(to) || to === "deno.json",
    "adapters/ imports adapters/ and mod/ alone",
  ),
  sourceRule(
    "adapters/",
    (to, from) => !/^node:(child_process|cluster)$/.test(to) || from === "adapters/command.ts",
    "adapters/command.ts starts every program",
  ),
  sourceRule(
    "main.ts",
    (to) => to.startsWith("adapters/cli/"),
    "main.ts only composes: it imports adapters/cli/ alone",
  ),
  ({ from, to }) =>
    isShipped(from) && isProjectFile(to) && isTestFile(to)
      ? "the program imports nothing that serves tests"
      : undefined,
  ({ from, specifier }) =>
    specifier.startsWith("npm:") && isShipped(from)
      ? "what the program imports from npm is named in deno.json"
      : undefined,
  ({ to }) =>
    to.startsWith("npm:") && !isPinned(to) ? "npm packages are pinned, as npm:name@1.2.3" : undefined,
  ({ to }) => /^(jsr|https?|data|blob):/.test(to) ? "everything comes from npm" : undefined,
];

/** Everything that is wrong with the imports, one line each, in the order of the imports. */
export function checkImports(imports: readonly Import[]): readonly string[] {
  return imports.flatMap((imported) =>
    RULES.map((rule) => rule(imported)).filter((problem) => problem !== undefined)
      .map((problem) => `${imported.from} imports ${imported.specifier}: ${problem}`)
  );
}

/** What this takes of `deno info --json`. */
interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier?: string; readonly error?: string };
      readonly type?: { readonly specifier?: string; readonly error?: string };
    }[];
  }[];
}

/**
 * The imports of a module graph.
 *
 * @param graph Output of `deno info --json`
 * @param projectUrl URL of the project's folder with a slash at its end; modules outside of it are left out
 */
export function importsOf(graph: ModuleGraph, projectUrl: string): readonly Import[] {
  return graph.modules.filter(({ specifier }) => specifier.startsWith(projectUrl)).flatMap((module) =>
    (module.dependencies ?? []).map(({ specifier, code, type }) => {
      const target = code?.specifier ?? type?.specifier ?? specifier;
      return {
        from: module.specifier.slice(projectUrl.length),
        specifier,
        to: target.startsWith(projectUrl) ? target.slice(projectUrl.length) : target,
      };
    })
  );
}

/**
 * The graph of all files of the project, tests too.
 *
 * @throws {ToolError} If Deno cannot resolve them
 */
async function readGraph(): Promise<ModuleGraph> {
  const work = await Deno.makeTempDir({ prefix: "loadweir-imports-" });
  try {
    const entry = join(work, "all.ts");
    const urls = listProjectFiles(PROJECT).map((file) => pathToFileURL(join(PROJECT, file)).href);
    await Deno.writeTextFile(entry, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
    const args = ["info", "--json", "--no-lock", "--config", join(PROJECT, "deno.json"), entry];
    return JSON.parse(await runToolOk(Deno.execPath(), { args, deadlineMs: INFO_DEADLINE_MS }));
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/**
 * A rule about what files in a folder may import, tests excepted.
 *
 * @param from Start of the paths that the rule is about
 * @param allows Whether an import is fine
 */
function sourceRule(from: string, allows: (to: string, from: string) => boolean, problem: string): Rule {
  return (imported) =>
    imported.from.startsWith(from) && !isTestFile(imported.from) && !allows(imported.to, imported.from)
      ? problem
      : undefined;
}

/** Whether a file may end up in the binary. */
function isShipped(file: string): boolean {
  return !isTestFile(file) && !file.startsWith("scripts/");
}

/** Whether an import stands for a file of the project. */
function isProjectFile(to: string): boolean {
  return !/^[a-z]+:/.test(to);
}

/** Whether an npm specifier names one version. */
function isPinned(to: string): boolean {
  return /^npm:\/?(@[^/@]+\/)?[^/@]+@\d+\.\d+\.\d+([-+][\w.]+)?(\/|$)/.test(to);
}

if (import.meta.main) {
  try {
    const problems = checkImports(importsOf(await readGraph(), pathToFileURL(`${PROJECT}/`).href));
    if (problems.length > 0) {
      Deno.stderr.writeSync(new TextEncoder().encode(`${problems.join("\n")}\n`));
      Deno.exit(1);
    }
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${messageOf(error)}\n`));
    Deno.exit(1);
  }
}
