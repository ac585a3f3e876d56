/**
 * Which service a running master of nginx or php-fpm belongs to.
 *
 * From the surest to the weakest sign: its cgroup, the main pid that systemd has for a unit, the command that
 * a unit starts, and the version of PHP in names and paths. A master that no sign ties to a service for
 * certain is foreign: shown, and never touched.
 */

import type { Reading } from "../reading.ts";
import { variantOf, type WebServiceFile } from "./service_file.ts";
import type { WebKind } from "./web_program.ts";

/** What starts and stops services here. */
export type ServiceManager = "systemd" | "sysv" | "none";

/** A running master process. */
export interface WebMaster {
  readonly kind: WebKind;
  readonly pid: number;
  readonly ppid: number;
  /** Path of its program; undefined when not known. */
  readonly program: string | undefined;
  /** Its configuration file; undefined when not known, or the default of an nginx. */
  readonly confPath: string | undefined;
  /** The unit of its cgroup; absent when it is in none. */
  readonly unit: Reading<string>;
  /** Whether it lives in a pid namespace below ours; undefined when not known. */
  readonly inContainer: boolean | undefined;
  /** User id that it runs as; undefined when not known. */
  readonly uid: number | undefined;
}

/**
 * Why a master belongs to none of the services. A closed list, so that reasons can be counted:
 * - `container`: it lives in a container, whose own agent decides
 * - `outside-unit`: systemd runs this host, and has it under no unit of nginx or php-fpm
 * - `other-user`: it does not run as root, as the masters of a host do
 * - `ambiguous`: it could belong to several services, or several masters to the one
 * - `second-instance`: no unit or script starts it, and it is not the host's own by its configuration
 */
export type ForeignReason = "container" | "outside-unit" | "other-user" | "ambiguous" | "second-instance";

/** A master that is not ours to stop. */
export interface ForeignMaster {
  readonly master: WebMaster;
  readonly reason: ForeignReason;
}

/** Which masters belong to what. */
export interface Ownership {
  /** The masters of each file, in the order of the files; empty where none runs. */
  readonly byFile: ReadonlyMap<WebServiceFile, readonly WebMaster[]>;
  /** Ours, but started by no unit or script that was found. */
  readonly unserved: readonly WebMaster[];
  readonly foreign: readonly ForeignMaster[];
}

/** Where the configuration of the host's own nginx is. */
const NGINX_FOLDER = "/etc/nginx/";

/**
 * Where packages, BOA and builds by hand keep configurations. One elsewhere, as in a home or below `/srv`, is
 * somebody's own.
 */
const HOST_FOLDERS = ["/etc/", "/opt/", "/usr/local/"] as const;

/** The main configuration of a php-fpm: `php-fpm.conf`, BOA's `php84-fpm.conf`. */
const FPM_MAIN_CONF = /\/php[\d.]*-fpm\.conf$/;

/** Gives each master to a service, or says why it has none. Never throws. */
export function findOwners(
  masters: readonly WebMaster[],
  files: readonly WebServiceFile[],
  manager: ServiceManager,
): Ownership {
  const byFile = new Map<WebServiceFile, WebMaster[]>(files.map((file) => [file, []]));
  const unserved: WebMaster[] = [];
  const foreign: ForeignMaster[] = [];
  const guesses: { readonly master: WebMaster; readonly likely: readonly WebServiceFile[] }[] = [];
  for (const master of masters) {
    const own = files.filter(({ kind }) => kind === master.kind);
    const certain = manager === "systemd" ? maybeCertainFile(master, own) : undefined;
    const reason = certain === undefined ? maybeForeignReason(master, manager) : undefined;
    if (certain !== undefined) byFile.get(certain)?.push(master);
    else if (reason !== undefined) foreign.push({ master, reason });
    else guesses.push({ master, likely: likelyFiles(master, own) });
  }
  // All are judged before one is given away, so that the order of the masters does not decide.
  const given = guesses.map(({ master, likely }) => {
    const [file] = likely;
    if (file === undefined) return () => unserved.push(master);
    const rivals = [
      ...byFile.get(file) ?? [],
      ...guesses.filter((guess) => guess.likely.includes(file)).map((guess) => guess.master),
    ].filter((other) => other !== master && !areReplacing(master, other));
    // Beside the one with the main configuration, others are second instances.
    const isMain = hasMainConf(master) && !rivals.some(hasMainConf);
    if (likely.length === 1 && (rivals.length === 0 || isMain)) return () => byFile.get(file)?.push(master);
    return () => foreign.push({ master, reason: "ambiguous" });
  });
  for (const give of given) give();
  const own = unserved.filter((master) => isHostsOwn(master, unserved, byFile));
  const second = unserved.filter((master) => !own.includes(master));
  foreign.push(...second.map((master) => ({ master, reason: "second-instance" as const })));
  return { byFile, unserved: own, foreign };
}

/**
 * Whether a master that no unit or script starts is the host's own: its configuration is where those of a
 * host are, no service has one of its kind and version, and it is the only such one, or the only one that
 * takes the default configuration.
 */
function isHostsOwn(
  master: WebMaster,
  unserved: readonly WebMaster[],
  byFile: ReadonlyMap<WebServiceFile, readonly WebMaster[]>,
): boolean {
  if (!hasHostConf(master)) return false;
  const line = lineOf(master);
  if ([...byFile.values()].flat().some((other) => lineOf(other) === line)) return false;
  const rivals = unserved.filter((other) =>
    other !== master && lineOf(other) === line && hasHostConf(other) && !areReplacing(master, other)
  );
  return rivals.length === 0 || (hasMainConf(master) && !rivals.some(hasMainConf));
}

/** What a host has one of: its nginx, and a php-fpm of each version. */
function lineOf({ kind, program, confPath }: WebMaster): string {
  if (kind === "nginx") return kind;
  return `${kind} ${variantOf(kind, confPath ?? "") || variantOf(kind, program ?? "")}`;
}

function hasHostConf({ kind, confPath }: WebMaster): boolean {
  // A php-fpm tells its configuration unless the path is too long for its title.
  if (confPath === undefined) return kind === "nginx";
  return HOST_FOLDERS.some((folder) => confPath.startsWith(folder));
}

function hasMainConf({ kind, confPath }: WebMaster): boolean {
  if (kind === "nginx") return confPath === undefined || confPath === `${NGINX_FOLDER}nginx.conf`;
  return FPM_MAIN_CONF.test(confPath ?? "");
}

/** Whether one of two masters is replacing the other: the new binary is started by the old one. */
export function areReplacing(one: WebMaster, other: WebMaster): boolean {
  return one.ppid === other.pid || other.ppid === one.pid;
}

/**
 * The file of the unit that systemd has the master in. One made from an init script has `.service` added to
 * its name.
 */
function maybeCertainFile(
  { pid, unit, inContainer }: WebMaster,
  own: readonly WebServiceFile[],
): WebServiceFile | undefined {
  if (inContainer || unit.kind === "absent") return undefined;
  return unit.kind === "ok"
    ? own.find(({ name }) => name === unit.value || `${name}.service` === unit.value)
    : own.find(({ state }) => state?.mainPid === pid);
}

function maybeForeignReason(
  { unit, inContainer, uid }: WebMaster,
  manager: ServiceManager,
): ForeignReason | undefined {
  if (inContainer) return "container";
  if (manager === "systemd" && unit.kind !== "failed") return "outside-unit";
  return uid === undefined || uid === 0 ? undefined : "other-user";
}

/** The files that start what the master runs; where none says what it starts, those whose name fits. */
function likelyFiles(master: WebMaster, own: readonly WebServiceFile[]): readonly WebServiceFile[] {
  const started = own.filter((file) => startsIt(file, master));
  return started.length > 0 ? started : own.filter((file) => fitsIt(file, master));
}

function startsIt(file: WebServiceFile, { kind, program, confPath }: WebMaster): boolean {
  if (file.program === undefined || (program !== undefined && program !== file.program)) return false;
  // A php-fpm whose command names no configuration has one all the same, and says so in its title.
  if (file.confPath === undefined && kind === "php-fpm") return program !== undefined;
  return file.confPath === confPath;
}

function fitsIt(file: WebServiceFile, master: WebMaster): boolean {
  const { kind, program, confPath } = master;
  if (file.confPath !== undefined || !hasHostConf(master)) return false;
  if (kind === "nginx") {
    const isUsual = confPath === undefined || confPath.startsWith(NGINX_FOLDER);
    return isUsual && file.variant === variantOf(kind, program ?? "nginx");
  }
  const variant = variantOf(kind, confPath ?? "") || variantOf(kind, program ?? "");
  return file.variant === variant;
}
