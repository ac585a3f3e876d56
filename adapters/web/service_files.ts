/** Finds the service manager of the host, and the unit files or init scripts that it knows. */

import { baseName } from "../../mod/processes/program.ts";
import { maybeValue } from "../../mod/reading.ts";
import type { ServiceManager } from "../../mod/services/ownership.ts";
import { maybeWebServiceFile, type ServiceFile } from "../../mod/services/service_file.ts";
import { parseSystemctlShow, SHOW_ARGUMENTS, type UnitState } from "../../mod/services/systemctl.ts";
import { maybeStartCommand } from "../../mod/services/unit_file.ts";
import type { RunCommand } from "../command.ts";
import type { FolderEntry, HostFiles } from "../check/host_files.ts";

/** Made by systemd at its start (sd_booted(3)). */
const SYSTEMD_RUNS = "/run/systemd/system";

/** Unit folders; a file in an earlier one hides one of the same name in a later one (systemd.unit(5)). */
const UNIT_FOLDERS = [
  "/etc/systemd/system",
  SYSTEMD_RUNS,
  "/usr/lib/systemd/system",
  "/lib/systemd/system",
] as const;

const INIT_SCRIPTS = "/etc/init.d";

const SYSTEMCTL = ["/usr/bin/systemctl", "/bin/systemctl"] as const;

/** systemd answers in milliseconds; on a host that is overloaded it may take seconds. */
const SHOW_DEADLINE_MS = 5_000;

/** What starts and stops services here, and what it could start. */
export interface ServiceFiles {
  readonly manager: ServiceManager;
  /** Of nginx and php-fpm alone. */
  readonly files: readonly ServiceFile[];
  /** Why it is not known how the units stand; undefined when it is known, or there are no units. */
  readonly problem: string | undefined;
}

/** Whether systemd runs the host; that it is installed does not make it so. Never throws. */
export function isSystemdHost(host: Pick<HostFiles, "exists">): boolean {
  return host.exists(SYSTEMD_RUNS);
}

/** Looks for units and scripts of nginx and php-fpm, and asks systemd how they stand. Never throws. */
export async function findServiceFiles(host: HostFiles, run: RunCommand): Promise<ServiceFiles> {
  const scripts = initScripts(host);
  if (!isSystemdHost(host)) {
    const manager = host.list(INIT_SCRIPTS).some(isScript) ? "sysv" : "none";
    return { manager, files: scripts, problem: undefined };
  }
  const units = unitFiles(host);
  // systemd makes a unit of each init script that has none.
  const names = new Set(units.map(({ name }) => name));
  const files = [...units, ...scripts.filter(({ name }) => !names.has(`${name}.service`))];
  if (files.length === 0) return { manager: "systemd", files, problem: undefined };
  const { states, problem } = await showUnits(files.map(unitName), run, host);
  const stateById = new Map(states.map((state) => [state.id, state]));
  const withStates = files.map((file) => ({ ...file, state: stateById.get(unitName(file)) }));
  return { manager: "systemd", files: withStates, problem };
}

function initScripts(host: HostFiles): readonly ServiceFile[] {
  return host.list(INIT_SCRIPTS).filter(isScript)
    .map(({ name }) => ({ name, path: `${INIT_SCRIPTS}/${name}`, command: undefined, state: undefined }))
    .filter(isWebService);
}

function isScript({ isFile, isExecutable }: FolderEntry): boolean {
  return isFile && isExecutable;
}

function unitFiles(host: HostFiles): readonly ServiceFile[] {
  const files = new Map<string, ServiceFile>();
  for (const folder of UNIT_FOLDERS) {
    for (const { name, isFile, linkTarget } of host.list(folder)) {
      if (!name.endsWith(".service") || files.has(name) || isAlias(name, linkTarget)) continue;
      const path = `${folder}/${name}`;
      const text = isFile ? maybeValue(host.readText(path)) : undefined;
      files.set(name, { name, path, command: maybeStartCommand(text ?? ""), state: undefined });
    }
  }
  return [...files.values()].filter(isWebService);
}

/** A link to a unit of another name is a second name of that one; a link to nothing else is a mask. */
function isAlias(name: string, linkTarget: string | undefined): boolean {
  return linkTarget !== undefined && linkTarget !== "/dev/null" && baseName(linkTarget) !== name;
}

function isWebService(file: ServiceFile): boolean {
  return maybeWebServiceFile(file) !== undefined;
}

function unitName({ name }: ServiceFile): string {
  return name.endsWith(".service") ? name : `${name}.service`;
}

/** Asks systemd how units stand. Never rejects. */
export async function showUnits(
  names: readonly string[],
  run: RunCommand,
  host: HostFiles,
): Promise<{ readonly states: readonly UnitState[]; readonly problem: string | undefined }> {
  const program = SYSTEMCTL.find(host.exists);
  if (program === undefined) return { states: [], problem: `there is no ${SYSTEMCTL[0]}` };
  const { code, stdout, stderr, timedOut } = await run(program, [...SHOW_ARGUMENTS, ...names], {
    deadlineMs: SHOW_DEADLINE_MS,
  });
  if (timedOut) return { states: [], problem: `${program} gave no answer within ${SHOW_DEADLINE_MS} ms` };
  if (code !== 0) return { states: [], problem: `${program} exited ${code}: ${stderr.trim()}` };
  return { states: parseSystemctlShow(stdout), problem: undefined };
}
