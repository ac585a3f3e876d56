/**
 * Runs every check that needs no test: `scripts/deno task ok`. One line each, with what a failing one said,
 * and exit code 1 when any failed.
 */

import { join } from "node:path";
import { messageOf } from "../mod/errors.ts";
import { PROJECT } from "./project_files.ts";
import { runTool, withoutBacktrace } from "./run_tool.ts";

/** Longest that a check takes on a slow machine with an empty cache. */
const DEADLINE_MS = 10 * 60_000;

/** A check: what it makes sure of, and the arguments of `deno` that do. */
interface Check {
  readonly name: string;
  readonly args: readonly string[];
}

/** The checks that only read caches, which may run side by side once the packages are there. */
const CHECKS: readonly Check[] = [
  { name: "format", args: ["fmt", "--check"] },
  { name: "lint", args: ["lint"] },
  { name: "purity of mod/", args: script("check_purity.ts") },
  { name: "direction of imports", args: script("check_imports.ts") },
  { name: "permissions in README.md", args: script("permissions_table.ts", "--check") },
  { name: "metrics in docs/", args: script("metrics_table.ts", "--check") },
];

/** The check that fetches what is missing, and so comes first. */
const TYPES: Check = { name: "types", args: ["check", "."] };

/** Runs a check and says how it went. Gives back whether it passed. */
async function passes({ name, args }: Check): Promise<boolean> {
  const startedAtMs = performance.now();
  const { ok, said } = await outcomeOf(args);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  const line = `${ok ? "ok    " : "FAILED"} ${name.padEnd(26)} ${seconds.padStart(5)} s\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(ok ? line : `${line}${said}\n`));
  return ok;
}

/** Whether `deno` with these arguments succeeds, and what it says. */
async function outcomeOf(args: readonly string[]): Promise<{ readonly ok: boolean; readonly said: string }> {
  try {
    const { code, stdout, stderr } = await runTool(Deno.execPath(), {
      args,
      cwd: PROJECT,
      deadlineMs: DEADLINE_MS,
    });
    return { ok: code === 0, said: withoutBacktrace(stdout + stderr).trim() };
  } catch (error) {
    return { ok: false, said: messageOf(error) };
  }
}

/** Arguments that run one of these scripts. */
function script(name: string, ...args: string[]): readonly string[] {
  return ["run", "--quiet", "--allow-all", join(PROJECT, "scripts", name), ...args];
}

if (import.meta.main) {
  const results = [await passes(TYPES), ...await Promise.all(CHECKS.map(passes))];
  Deno.exit(results.includes(false) ? 1 : 0);
}
