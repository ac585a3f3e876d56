/**
 * Which services serve the web on a host: what is installed, what runs, and by which unit or init script it
 * is stopped and started.
 *
 * Names are found, never made: a php-fpm whose binary is `php-fpm8.4` is the unit `php8.4-fpm` on Debian,
 * `php-fpm` on the RHEL family and the script `php84-fpm` on a BOA host.
 */

import {
  areReplacing,
  findOwners,
  type ForeignMaster,
  type ServiceManager,
  type WebMaster,
} from "./ownership.ts";
import { maybeWebServiceFile, type ServiceFile, variantOf, type WebServiceFile } from "./service_file.ts";
import { maybeKindOfProgram, type WebKind } from "./web_program.ts";

/** All signs of one moment. */
export interface WebSigns {
  readonly manager: ServiceManager;
  /** Unit files or init scripts, also of other services. */
  readonly files: readonly ServiceFile[];
  /** Paths of the programs that are installed. */
  readonly programs: readonly string[];
  readonly masters: readonly WebMaster[];
}

/** One service: at least one of file, program and master is there. */
export interface WebService {
  readonly kind: WebKind;
  /** What it is stopped and started by; undefined when nothing was found. */
  readonly file: WebServiceFile | undefined;
  readonly program: string | undefined;
  /** Empty while it does not run; more than one while a binary is replaced. */
  readonly masters: readonly WebMaster[];
}

/** What was found. */
export interface WebServices {
  /** nginx first, then php-fpm by version. */
  readonly services: readonly WebService[];
  readonly foreign: readonly ForeignMaster[];
}

/** Sorts signs into services. Never throws. */
export function findWebServices({ manager, files, programs, masters }: WebSigns): WebServices {
  const webFiles = files.map(maybeWebServiceFile).filter((file) => file !== undefined);
  const { byFile, unserved, foreign } = findOwners(masters, webFiles, manager);
  const services: WebService[] = [...byFile].map(([file, own]) => ({
    kind: file.kind,
    file,
    program: file.program ?? own[0]?.program ?? maybeInstalled(file.kind, file.variant, programs),
    masters: own,
  }));
  for (const group of groupReplacing(unserved)) {
    const [{ kind, program, confPath }] = group;
    const variant = kind === "nginx" ? "nginx" : variantOf(kind, confPath ?? "");
    services.push({
      kind,
      file: undefined,
      program: program ?? maybeInstalled(kind, variant, programs),
      masters: group,
    });
  }
  for (const program of programs) {
    const kind = maybeKindOfProgram(program);
    if (kind === undefined || services.some((service) => service.program === program)) continue;
    services.push({ kind, file: undefined, program, masters: [] });
  }
  return { services: services.sort(byKindAndName), foreign };
}

/** Masters that replace each other, together. */
function groupReplacing(masters: readonly WebMaster[]): readonly (readonly [WebMaster, ...WebMaster[]])[] {
  const groups: [WebMaster, ...WebMaster[]][] = [];
  for (const master of masters) {
    const group = groups.find((members) => members.some((member) => areReplacing(member, master)));
    if (group === undefined) groups.push([master]);
    else group.push(master);
  }
  return groups;
}

function maybeInstalled(kind: WebKind, variant: string, programs: readonly string[]): string | undefined {
  return programs.find((path) => maybeKindOfProgram(path) === kind && variantOf(kind, path) === variant);
}

function byKindAndName(a: WebService, b: WebService): number {
  const [first, second] = [a, b].map(({ kind, file, program }) =>
    `${kind} ${variantOf(kind, program ?? file?.name ?? "")} ${file?.name ?? ""}`
  ) as [string, string];
  return first < second ? -1 : first > second ? 1 : 0;
}
