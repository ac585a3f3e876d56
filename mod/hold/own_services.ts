/**
 * The services of a host with all their processes, and how each is started again.
 *
 * Ours to stop is what {@linkcode findWebServices} gives a service: masters, what they started, and workers
 * whose master is gone but was of that service. Two signs say so for certain: the cgroup of its unit, and its
 * session. A master makes a session of its own when it becomes a daemon; the kernel gives that number to no
 * other process while a worker is in it. So a worker in the session of a master that runs, or of the one that
 * the pid file of a service names, came from that master. Any other worker is shown, and left.
 */

import type { ProcessInfo } from "../processes/process.ts";
import type { WebTier } from "../processes/web_tier.ts";
import { commandOfTitle } from "../nginx/title.ts";
import { maybeValue, type Reading } from "../reading.ts";
import type { ServiceManager } from "../services/ownership.ts";
import { variantOf, type WebServiceFile } from "../services/service_file.ts";
import { maybeKindOfProgram, maybeKindOfService, type WebKind } from "../services/web_program.ts";
import type { WebService } from "../services/web_services.ts";
import type { ServiceRef } from "./service_ref.ts";

/** A service and its processes. */
export interface OwnService {
  readonly ref: ServiceRef;
  /** Its unit or script; undefined where there is none. */
  readonly file: WebServiceFile | undefined;
  /** More than one while a binary is replaced. */
  readonly masters: readonly ProcessInfo[];
  /** Masters that end as soon as they take their signal. They still have their sockets, and serve nobody for long. */
  readonly ending: readonly ProcessInfo[];
  /** Workers and helpers that have a master. */
  readonly workers: readonly ProcessInfo[];
  /** Workers whose master is gone. */
  readonly orphans: readonly ProcessInfo[];
}

/** A process named like the web tier that is under no master, and what tells whose it is. */
export interface LooseProcess {
  readonly process: ProcessInfo;
  /** The unit of its cgroup; absent when it is in none. */
  readonly unit: Reading<string>;
  /** Pid of the process that made its session; undefined when not known. */
  readonly sessionId: number | undefined;
}

/** The pid that a daemon wrote into its file. */
export interface PidFile {
  /** `nginx.pid`, `php8.2-fpm.pid`. */
  readonly name: string;
  readonly pid: number;
}

/** What {@linkcode findOwnServices} takes. */
export interface OwnSigns {
  readonly manager: ServiceManager;
  /** As {@linkcode findWebServices} found them. */
  readonly services: readonly WebService[];
  readonly tier: WebTier;
  /** Of the orphans and the unclear of the tier. */
  readonly loose: readonly LooseProcess[];
  readonly pidFiles: readonly PidFile[];
}

/** Whose the processes are. */
export interface OwnServices {
  /** Also those that do not run. One without unit or script whose program is not known has no place here. */
  readonly services: readonly OwnService[];
  /** Workers without a master that may be anybody's. */
  readonly unsure: readonly ProcessInfo[];
}

/** Whether anything of a service runs. */
export function isRunning(service: OwnService): boolean {
  return processesOf(service).length > 0;
}

/** All processes of a service. */
export function processesOf({ masters, ending, workers, orphans }: OwnService): readonly ProcessInfo[] {
  return [...masters, ...ending, ...workers, ...orphans];
}

/** A service without those of its masters for masters that are about to end. */
export function withEnding(
  service: OwnService,
  isEnding: (master: ProcessInfo) => boolean,
): OwnService {
  const ending = service.masters.filter(isEnding);
  return { ...service, masters: service.masters.filter((master) => !ending.includes(master)), ending };
}

/** Whether two references mean the same service. */
export function isSameService(one: ServiceRef, other: ServiceRef): boolean {
  return one.kind === other.kind && one.manager === other.manager && one.name === other.name;
}

/** Puts processes to services. Never throws. */
export function findOwnServices({ manager, services, tier, loose, pidFiles }: OwnSigns): OwnServices {
  const taken = new Set<ProcessInfo>();
  const own = services.flatMap((service): readonly OwnService[] => {
    const pids = service.masters.map(({ pid }) => pid);
    const masters = mastersOf(tier).filter(({ pid }) => pids.includes(pid));
    const ref = maybeRef(service, masters, manager);
    if (ref === undefined) return [];
    const workers = [
      ...tier.nginx.flatMap((instance) =>
        pids.includes(instance.master.pid)
          ? [...instance.workers, ...instance.shuttingDown, ...instance.helpers, ...instance.newborn]
          : []
      ),
      ...tier.fpm.flatMap(({ master, pools, newborn }) =>
        pids.includes(master.pid) ? [...pools.flatMap((pool) => pool.workers), ...newborn] : []
      ),
    ];
    const orphans: ProcessInfo[] = [];
    for (const one of loose) {
      if (taken.has(one.process)) continue;
      // One whose title could not be read.
      if (pids.includes(one.process.ppid)) workers.push(one.process);
      else if (cameFrom(one, service, pids, pidFiles)) orphans.push(one.process);
      else continue;
      taken.add(one.process);
    }
    return [{ ref, file: service.file, masters, ending: [], workers, orphans }];
  });
  return { services: own, unsure: tier.orphans.filter((process) => !taken.has(process)) };
}

function mastersOf({ nginx, fpm }: WebTier): readonly ProcessInfo[] {
  return [...nginx, ...fpm].map(({ master }) => master);
}

/** Whether a process that is under no master came from a master of this service. */
function cameFrom(
  { process, unit, sessionId }: LooseProcess,
  service: WebService,
  masterPids: readonly number[],
  pidFiles: readonly PidFile[],
): boolean {
  const { file, kind } = service;
  if (process.namespaceDepth !== 1 || maybeKindOfProgram(process.comm) !== kind) return false;
  const unitName = maybeValue(unit);
  if (unitName !== undefined) return file !== undefined && unitNameOf(file.name) === unitName;
  if (sessionId === undefined) return false;
  return masterPids.includes(sessionId) ||
    pidFiles.some(({ name, pid }) => pid === sessionId && isPidFileOf(name, kind, service));
}

/** Whether a pid file is that of a service, by its name: `nginx.pid`, `php8.2-fpm.pid`. */
function isPidFileOf(name: string, kind: WebKind, { file, program }: WebService): boolean {
  const stem = name.replace(/\.pid$/, "");
  if (maybeKindOfService(stem) !== kind) return false;
  return variantOf(kind, stem) === (file?.variant ?? variantOf(kind, program ?? ""));
}

/** How a service is named to its manager, and how it is started without one. */
function maybeRef(
  service: WebService,
  masters: readonly ProcessInfo[],
  manager: ServiceManager,
): ServiceRef | undefined {
  const { kind, file, program } = service;
  const confPath = service.masters[0]?.confPath ?? file?.confPath;
  const args = argumentsOf(service, masters, confPath);
  if (file !== undefined) {
    const name = manager === "systemd" ? unitNameOf(file.name) : file.name;
    return { kind, manager, name, program, args, confPath };
  }
  return program === undefined
    ? undefined
    : { kind, manager: "none", name: program, program, args, confPath };
}

/** A unit made from an init script has `.service` added to its name. */
function unitNameOf(name: string): string {
  return name.endsWith(".service") ? name : `${name}.service`;
}

/** The arguments that it runs with; those of a php-fpm are lost, because its title stands over them. */
function argumentsOf(
  { kind, file }: WebService,
  [master]: readonly ProcessInfo[],
  confPath: string | undefined,
): readonly string[] {
  if (kind === "nginx" && master !== undefined) return commandOfTitle(master.argv ?? []).slice(1);
  if (kind === "nginx" || file?.command !== undefined) return file?.command?.slice(1) ?? [];
  return confPath === undefined ? [] : ["--fpm-config", confPath];
}
