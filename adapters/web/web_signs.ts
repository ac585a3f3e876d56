/** Gathers all that tells which services serve the web: programs, units or scripts, running masters. */

import { permittedValues } from "../../mod/permissions.ts";
import type { WebTier } from "../../mod/processes/web_tier.ts";
import { maybeKindOfProgram } from "../../mod/services/web_program.ts";
import type { WebSigns } from "../../mod/services/web_services.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { RunCommand } from "../command.ts";
import type { Source } from "../source.ts";
import { findServiceFiles } from "./service_files.ts";
import { readMasters } from "./web_masters.ts";

/** What the look takes. */
export interface SignPorts {
  readonly host: HostFiles;
  readonly run: RunCommand;
  readonly source: Source;
}

/** The signs of this moment. */
export interface SignsSeen {
  readonly signs: WebSigns;
  /** Why it is not known how the units stand; undefined when it is known, or there are no units. */
  readonly problem: string | undefined;
}

/** Looks at the host, and further at the masters of a web tier. Never rejects. */
export async function readWebSigns(tier: WebTier, ports: SignPorts): Promise<SignsSeen> {
  const { host, run } = ports;
  const programs = installedPrograms(host);
  const { manager, files, problem } = await findServiceFiles(host, run);
  return { signs: { manager, files, programs, masters: readMasters(tier, ports) }, problem };
}

/** The programs of nginx and php-fpm that are installed and may be run. Never throws. */
export function installedPrograms(host: Pick<HostFiles, "exists">): readonly string[] {
  return permittedValues("run").filter((path) => maybeKindOfProgram(path) !== undefined && host.exists(path));
}
