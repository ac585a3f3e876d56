/**
 * Runs an audit of this machine from source, in the sandbox of the binary: `loadweir run --dry-run`.
 *
 *     scripts/deno task audit [--json] [--once] …
 *
 * The same permissions hold as in the binary, so what works here works there. When standard output is no
 * terminal, one pass is made.
 */

import { join } from "node:path";
import { permissionFlags } from "../mod/permissions.ts";
import { PROJECT } from "./project_files.ts";

/** Signals that end or reload an agent. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What is run, and what a person is told about it first. */
export interface AuditPlan {
  /** Arguments of `deno`. */
  readonly args: readonly string[];
  /** A line for standard error; undefined when there is nothing to say. */
  readonly note: string | undefined;
}

/**
 * The audit to run.
 *
 * @param args Arguments given by the person, passed on as they are
 * @param terminal Whether standard output is a terminal
 */
export function planAudit(args: readonly string[], terminal: boolean): AuditPlan {
  const once = !terminal && !args.some((arg) => ONCE_ALREADY.includes(arg));
  return {
    args: [
      ...["run", "--quiet", "--no-remote", ...permissionFlags()],
      ...[join(PROJECT, "main.ts"), "run", "--dry-run", ...(once ? ["--once"] : []), ...args],
    ],
    note: once ? "audit: standard output is no terminal, making one pass (--once)" : undefined,
  };
}

/** Arguments beside which `--once` would say nothing new. */
const ONCE_ALREADY: readonly string[] = ["--once", "--help", "-h"];

if (import.meta.main) {
  const { args, note } = planAudit(Deno.args, Deno.stdout.isTerminal());
  if (note !== undefined) Deno.stderr.writeSync(new TextEncoder().encode(`${note}\n`));
  const child = new Deno.Command(Deno.execPath(), { args: [...args] }).spawn();
  for (const signal of FORWARDED) {
    Deno.addSignalListener(signal, () => {
      // A terminal sends Ctrl-C to the audit as well.
      if (signal === "SIGINT" && Deno.stdin.isTerminal()) return;
      try {
        child.kill(signal);
      } catch (error) {
        // It has ended already.
        if (!(error instanceof TypeError)) throw error;
      }
    });
  }
  Deno.exit((await child.status).code);
}
