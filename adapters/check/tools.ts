/** Looks for the programs that are used where they are there. */

import type { ToolFinding } from "../../mod/check/findings.ts";
import { HOOK_FOLDER } from "../../mod/hooks/hook.ts";
import { permittedValues } from "../../mod/permissions.ts";
import { baseName } from "../../mod/processes/program.ts";
import { maybeKindOfProgram } from "../../mod/services/web_program.ts";
import type { HostFiles } from "./host_files.ts";

/**
 * The tools on the list of permissions, each once, with the first of its paths that is there. Never throws.
 */
export function lookForTools(host: HostFiles): readonly ToolFinding[] {
  const paths = permittedValues("run")
    .filter((path) => maybeKindOfProgram(path) === undefined && !path.startsWith(`${HOOK_FOLDER}/`));
  return [...new Set(paths.map(baseName))].map((name) => ({
    name,
    path: paths.find((path) => baseName(path) === name && host.exists(path)),
  }));
}
