import { assert, assertEquals } from "@std/assert";
import { permissionFlags } from "../mod/permissions.ts";
import { planAudit } from "./audit.ts";
import { PROJECT } from "./project_files.ts";

/** The arguments after the main module. */
function programArgs(args: readonly string[]): readonly string[] {
  return args.slice(args.indexOf(`${PROJECT}/main.ts`) + 1);
}

Deno.test("planAudit() runs in the sandbox of the binary", () => {
  const { args } = planAudit([], true);
  for (const flag of permissionFlags()) assert(args.includes(flag), flag);
  assert(!args.includes("--allow-all"));
});

Deno.test("planAudit() passes arguments on and goes on until it is stopped on a terminal", () => {
  const { args, note } = planAudit(["--json", "--procfs", "/run/loadweir/proc"], true);
  assertEquals(programArgs(args), ["run", "--dry-run", "--json", "--procfs", "/run/loadweir/proc"]);
  assertEquals(note, undefined);
});

Deno.test("planAudit() makes one pass in a pipe and says so", () => {
  const { args, note } = planAudit(["--json"], false);
  assertEquals(programArgs(args), ["run", "--dry-run", "--once", "--json"]);
  assertEquals(note, "audit: standard output is no terminal, making one pass (--once)");
});

Deno.test("planAudit() adds no --once where it is given or help is asked for", () => {
  for (const given of ["--once", "--help", "-h"]) {
    const { args, note } = planAudit([given], false);
    assertEquals(programArgs(args), ["run", "--dry-run", given]);
    assertEquals(note, undefined);
  }
});
