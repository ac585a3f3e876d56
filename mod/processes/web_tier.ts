/**
 * The web servers of a host, from the titles that nginx and php-fpm give their processes.
 *
 *     nginx: master process /usr/sbin/nginx -g daemon on;
 *     nginx: worker process
 *     nginx: worker process is shutting down
 *     nginx: cache manager process
 *     php-fpm: master process (/etc/php/8.3/fpm/php-fpm.conf)
 *     php-fpm: pool www
 *
 * @see https://nginx.org/en/docs/control.html
 * @see https://www.php.net/manual/en/install.fpm.configuration.php
 */

import { isLiveProgram, type ProcessInfo } from "./process.ts";

/** One nginx: a master and what it started. While its binary is replaced, two run side by side. */
export interface NginxInstance {
  readonly master: ProcessInfo;
  readonly workers: readonly ProcessInfo[];
  /** Workers of an older configuration that finish their connections; that can take days. */
  readonly shuttingDown: readonly ProcessInfo[];
  /** Cache manager, cache loader and the like: they serve nobody. */
  readonly helpers: readonly ProcessInfo[];
  /** Forked by the master just now, and still under its title: workers or helpers to be. On a busy host that lasts. */
  readonly newborn: readonly ProcessInfo[];
}

/** One php-fpm: a master and the workers of its pools. */
export interface FpmInstance {
  readonly master: ProcessInfo;
  /** The configuration file in the master's title; undefined where the title had no room for all of it. */
  readonly confPath: string | undefined;
  /** By name; a pool without workers at the moment (`ondemand`) is not seen. */
  readonly pools: readonly FpmPool[];
  /** Forked by the master just now, and still under its title: workers of whichever pool. */
  readonly newborn: readonly ProcessInfo[];
}

/** One pool of php-fpm. */
export interface FpmPool {
  readonly name: string;
  readonly workers: readonly ProcessInfo[];
}

/** All that serves the web here. Zombies are left out. */
export interface WebTier {
  readonly nginx: readonly NginxInstance[];
  readonly fpm: readonly FpmInstance[];
  /** Workers whose master is gone: they still serve, and no service manager stops them. */
  readonly orphans: readonly ProcessInfo[];
  /**
   * Named like the web tier, without a title known here: just starting, a command as `nginx -t`, or not
   * readable.
   */
  readonly unclear: readonly ProcessInfo[];
}

/** nginx, and the second binary of nginx.org's packages. */
const NGINX_COMM = /^nginx(?:-debug)?$/;

/** `php-fpm`, Debian's `php-fpm8.3`, and the spellings `php83-fpm` and `php8.3-fpm` of other packagers. */
const FPM_COMM = /^php(?:\d[\d.]*)?-fpm(?:\d[\d.]*)?$/;

const FPM_MASTER = /^php-fpm: master process(?: \((.*?)(\)?))?$/s;
const FPM_POOL = "php-fpm: pool ";

/** What a title, and whose child it is, say about a process. */
type Role =
  | {
    readonly kind: "nginx-master" | "nginx-worker" | "nginx-shutting-down" | "nginx-helper" | "nginx-newborn";
  }
  | { readonly kind: "fpm-newborn" }
  | { readonly kind: "fpm-master"; readonly confPath: string | undefined }
  | { readonly kind: "fpm-worker"; readonly pool: string };

/** Whether a comm is one of nginx. */
export function isNginxName(comm: string): boolean {
  return NGINX_COMM.test(comm);
}

/** Whether a comm is one of nginx or php-fpm: these are stopped as services and never ended by name. */
export function isWebTierName(comm: string): boolean {
  return isNginxName(comm) || FPM_COMM.test(comm);
}

/**
 * Finds the masters of nginx and php-fpm and sorts what they started under them. Never throws.
 *
 * Both the comm and the title must fit, so `grep nginx` is none of them.
 *
 * @param processes A process table with the arguments of those that {@linkcode isWebTierName} names
 */
export function findWebTier(processes: readonly ProcessInfo[]): WebTier {
  const titled: Member[] = [];
  const unclear: ProcessInfo[] = [];
  for (const process of processes) {
    if (!isWebTierName(process.comm) || !isLiveProgram(process)) continue;
    const role = roleOf(process);
    if (role === undefined) unclear.push(process);
    else titled.push({ process, role });
  }
  const members = titled.map((member) => isNewborn(member, titled) ? newbornOf(member) : member);
  const nginx = members.filter(({ role }) => role.kind === "nginx-master").map((master) =>
    nginxOf(master, members)
  );
  const fpm = members.flatMap(({ process, role }) =>
    role.kind === "fpm-master" ? [fpmOf(process, role.confPath, members)] : []
  );
  return { nginx, fpm, orphans: orphansOf(members), unclear };
}

/** A process and what it is in the web tier. */
interface Member {
  readonly process: ProcessInfo;
  readonly role: Role;
}

/** Arguments joined by blanks are the title also where `ps` had it split. */
function roleOf({ comm, argv }: ProcessInfo): Role | undefined {
  if (argv === undefined) return undefined;
  const title = argv.join(" ").trimEnd();
  return isNginxName(comm) ? nginxRole(title) : fpmRole(title);
}

function nginxRole(title: string): Role | undefined {
  switch (title) {
    case "nginx: worker process":
      return { kind: "nginx-worker" };
    case "nginx: worker process is shutting down":
      return { kind: "nginx-shutting-down" };
    case "nginx: cache manager process":
    case "nginx: cache loader process":
    case "nginx: privileged agent process":
      return { kind: "nginx-helper" };
  }
  return title.startsWith("nginx: master process") ? { kind: "nginx-master" } : undefined;
}

function fpmRole(title: string): Role | undefined {
  if (title.startsWith(FPM_POOL)) return { kind: "fpm-worker", pool: title.slice(FPM_POOL.length) };
  const master = FPM_MASTER.exec(title);
  if (master === null) return undefined;
  return { kind: "fpm-master", confPath: master[2] === ")" ? master[1] : undefined };
}

function nginxOf({ process: master }: Member, members: readonly Member[]): NginxInstance {
  const children = members.filter(({ process }) => process.ppid === master.pid);
  function of(kind: Role["kind"]): readonly ProcessInfo[] {
    return children.filter(({ role }) => role.kind === kind).map(({ process }) => process);
  }
  return {
    master,
    workers: of("nginx-worker"),
    shuttingDown: of("nginx-shutting-down"),
    helpers: of("nginx-helper"),
    newborn: of("nginx-newborn"),
  };
}

function fpmOf(master: ProcessInfo, confPath: string | undefined, members: readonly Member[]): FpmInstance {
  const workersByPool = new Map<string, ProcessInfo[]>();
  for (const { process, role } of members) {
    if (role.kind !== "fpm-worker" || process.ppid !== master.pid) continue;
    const workers = workersByPool.get(role.pool);
    if (workers === undefined) workersByPool.set(role.pool, [process]);
    else workers.push(process);
  }
  const pools = [...workersByPool].map(([name, workers]) => ({ name, workers }));
  const newborn = members.filter(({ process, role }) =>
    role.kind === "fpm-newborn" && process.ppid === master.pid
  ).map(({ process }) => process);
  return { master, confPath, pools: pools.sort((a, b) => a.name < b.name ? -1 : 1), newborn };
}

/**
 * Whether one under the title of a master is a child of that master: a fork bears the title until it sets its own. While the
 * binary of nginx is replaced, its new master is a child of the old one too, but one that was executed; php-fpm executes itself
 * in place.
 */
function isNewborn({ process, role }: Member, titled: readonly Member[]): boolean {
  return isMaster(role) && (role.kind === "fpm-master" || process.isFork === true) &&
    titled.some((other) => other.process.pid === process.ppid && other.role.kind === role.kind);
}

function newbornOf({ process, role }: Member): Member {
  return { process, role: { kind: role.kind === "fpm-master" ? "fpm-newborn" : "nginx-newborn" } };
}

/** Those that are no master and whose parent is no master of their own kind. */
function orphansOf(members: readonly Member[]): readonly ProcessInfo[] {
  const masters = new Map(
    members.filter(({ role }) => isMaster(role)).map(({ process, role }) => [process.pid, role.kind]),
  );
  return members
    .filter(({ process, role }) => !isMaster(role) && masters.get(process.ppid) !== masterKind(role))
    .map(({ process }) => process);
}

function isMaster(role: Role): boolean {
  return role.kind === "nginx-master" || role.kind === "fpm-master";
}

function masterKind(role: Role): Role["kind"] {
  return role.kind.startsWith("nginx") ? "nginx-master" : "fpm-master";
}
