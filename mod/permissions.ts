/**
 * What the binary may do: the one list that the compiler, the audit task, `check`, the documentation and the
 * tests take it from.
 *
 *     read  /run/loadweir/proc   the read-only bind mount of /proc: load, CPU times, memory, processes
 *
 * Whatever is not listed is refused without a question. Every value is exact: no kind is granted whole, and
 * no folder that holds the bind mount is writable, because `/run/loadweir/proc/1/root` is the whole file
 * system.
 *
 * @see https://docs.deno.com/runtime/fundamentals/security/
 */

import { METRICS_FOLDER } from "./config/pressure_config.ts";
import { FAMILIES } from "./drain/family.ts";
import { newNameOf, originalOf, UFW_FILES } from "./drain/ufw_rules.ts";
import { HOOK_FOLDER, HOOK_NAMES } from "./hooks/hook.ts";
import { endpointText } from "./ip_address.ts";
import { TEXTFILE_PATH } from "./metrics/textfile.ts";
import { AGENT_PORT, HTTP_PORT, IPV6_ADDRESSES } from "./probe/outlets/listen_address.ts";

/** What a permission is about. Foreign functions and remote imports are no kinds: they are never granted. */
export type PermissionKind = "read" | "write" | "run" | "net" | "env" | "sys";

/** One thing that the binary may do, and what for. */
export interface Permission {
  readonly kind: PermissionKind;
  /**
   * A path, an address or a network with its port, a variable or a system call by the runtime's name; never a
   * pattern and never empty.
   */
  readonly value: string;
  /** What it is needed for, as a reviewer reads it. */
  readonly why: string;
}

/** The kinds in the order in which they are shown. */
export const PERMISSION_KINDS: readonly PermissionKind[] = ["read", "write", "run", "net", "env", "sys"];

/**
 * PHP versions whose php-fpm is looked for: those that BOA's second.sh stops and starts. A version that is
 * missing here is still seen among the processes, but its binary cannot be asked for its version.
 */
export const PHP_VERSIONS = [
  "5.6",
  "7.0",
  "7.1",
  "7.2",
  "7.3",
  "7.4",
  "8.0",
  "8.1",
  "8.2",
  "8.3",
  "8.4",
  "8.5",
] as const;

/** The versions as BOA and Remi's collections spell them: `84`. */
const PHP_NUMBERS: readonly string[] = PHP_VERSIONS.map((version) => version.replace(".", ""));

/**
 * Programs that looking takes. A grant holds for the literal path alone, so tools that older systems keep in
 * `/bin` are listed in both spellings.
 */
const PROGRAMS: readonly Omit<Permission, "kind">[] = [
  ...bothSpellings("ps", "the processes, where there is no proc root"),
  ...bothSpellings("vmstat", "runnable tasks, CPU and iowait, where there is no proc root"),
  ...bothSpellings("systemctl", "shows, stops, starts and reloads nginx and php-fpm under systemd"),
  ...bothSpellings("systemd-run", "sets the timer that gives the web back when the agent is gone"),
  ...bothSpellings("systemd-notify", "tells systemd that the agent is ready, goes on, or ends"),
  ...bothSpellings("kill", "ends programs that run over their deadline, and sends the signals of a pause"),
  ...["choom", "nice", "setsid"].flatMap((name) =>
    bothSpellings(name, "starts a service with a plain nice value and OOM score, in a session of its own")
  ),
  { value: "/usr/sbin/service", why: "stops, starts and reloads services under sysvinit" },
  { value: "/sbin/service", why: "stops, starts and reloads services under sysvinit" },
  { value: "/usr/sbin/nginx", why: "version and test of nginx, and its start where nobody manages it" },
  { value: "/usr/sbin/php-fpm", why: "version of php-fpm, RHEL family" },
  ...PHP_VERSIONS.map((version) => ({
    value: `/usr/sbin/php-fpm${version}`,
    why: "version of php-fpm, Debian",
  })),
  ...PHP_NUMBERS.map((number) => ({
    value: `/opt/php${number}/sbin/php-fpm`,
    why: "version of php-fpm, BOA",
  })),
  ...PHP_NUMBERS.map((number) => ({
    value: `/opt/remi/php${number}/root/usr/sbin/php-fpm`,
    why: "version of php-fpm, Remi's collections",
  })),
];

/**
 * Files and folders that looking takes. Whole folders where their content is public or ours anyway: each read is
 * held against every line, and with a hundred of them a scan of 5 000 processes takes a third more CPU.
 */
const READS: readonly Omit<Permission, "kind">[] = [
  {
    value: "/run/loadweir/proc",
    why: "the read-only bind mount of /proc: load, CPU times, memory, processes",
  },
  { value: "/proc/pressure/cpu", why: "CPU pressure" },
  { value: "/proc/pressure/io", why: "I/O pressure" },
  { value: "/proc/pressure/memory", why: "memory pressure" },
  { value: "/etc/loadweir", why: "configuration" },
  { value: "/root/.barracuda.cnf", why: "configuration of a BOA host" },
  { value: "/run/loadweir/state", why: "state of the running agent, for `status`" },
  { value: "/var/lib/loadweir", why: "last good configuration, recordings to replay" },
  { value: "/run/boa_sql_cluster_backup.pid", why: "BOA's marker of a running cluster backup" },
  ...[
    "/run/octopus_install_run.pid",
    "/run/boa_run.pid",
    "/run/boa_wait.pid",
    "/run/lfd.pid",
    "/etc/csf/csf.conf",
  ]
    .map((value) => ({ value, why: "whether a BOA host has settled" })),
  { value: "/var/aegir/.drush/hm.alias.drushrc.php", why: "whether a BOA host has settled" },
  { value: "/var/log/loadweir", why: "log of incidents, and the journal to replay" },
  { value: "/var/log/boa/high.load.incident.log", why: "log of incidents on a BOA host" },
  { value: "/run/systemd/system", why: "whether systemd runs the host; units made at run time" },
  { value: "/run/systemd/container", why: "whether this is a container, whose load may be its host's" },
  { value: "/run/.containerenv", why: "the same, under Podman" },
  { value: "/.dockerenv", why: "the same, under Docker" },
  { value: "/etc/systemd/system", why: "units of nginx and php-fpm" },
  { value: "/usr/lib/systemd/system", why: "units of nginx and php-fpm" },
  { value: "/lib/systemd/system", why: "units of nginx and php-fpm" },
  { value: "/etc/init.d", why: "service scripts of nginx and php-fpm" },
  ...["/etc/rc2.d", "/etc/rc3.d", "/etc/rc4.d", "/etc/rc5.d"].map((value) => ({
    value,
    why: "which service scripts start at boot",
  })),
  ...[
    "/run/nginx.pid",
    "/run/php",
    "/run/php-fpm",
    ...PHP_NUMBERS.map((number) => `/run/php${number}-fpm.pid`),
  ]
    .map((value) => ({ value, why: "pid files, which tell whose a worker without a master is" })),
  { value: "/etc/logrotate.d/loadweir", why: "whether the rotation of our logs is as it is printed" },
  { value: "/etc/passwd", why: "names of users, for the record of what was ended" },
  { value: "/etc/nginx", why: "the crawler block, and whether nginx includes it" },
  { value: "/var/log/nginx", why: "what nginx says of a reload: a green test is no green reload" },
  { value: "/data/conf", why: "the crawler block of a BOA host" },
  { value: "/var/aegir/config/includes", why: "whether nginx of a BOA host includes the crawler block" },
  { value: "/etc/ufw", why: "whether ufw is on, and its rules, where those stop pings" },
  { value: "/etc/php", why: "pools of php-fpm, Debian" },
  { value: "/etc/php-fpm.conf", why: "pools of php-fpm, RHEL family" },
  { value: "/etc/php-fpm.d", why: "pools of php-fpm, RHEL family" },
  { value: "/etc/opt/remi", why: "pools of php-fpm, Remi's collections" },
  { value: "/opt", why: "php-fpm of BOA and of Remi's collections: programs and pools" },
  { value: "/var/opt/remi", why: "sockets of php-fpm, Remi's collections" },
  // A program that may be run but not read cannot even be looked for.
  { value: "/usr/bin", why: "which programs are there" },
  { value: "/usr/lib/sendmail", why: "which programs are there" },
  { value: "/bin", why: "which programs are there" },
  { value: "/usr/sbin", why: "which programs are there" },
  { value: "/sbin", why: "which programs are there" },
];

/** The textfile, and what it is called until it is whole: to give it its name takes reading it, too. */
const METRICS_FILES: readonly Omit<Permission, "kind">[] = [TEXTFILE_PATH, `${TEXTFILE_PATH}.new`].map((
  value,
) => ({
  value,
  why: "metrics for node_exporter, where that is configured",
}));

/** What acting leaves behind: exact files, and folders that are ours. */
const WRITES: readonly Omit<Permission, "kind">[] = [
  { value: "/run/loadweir/state", why: "ledger, lock, requests, markers and status" },
  { value: "/var/lib/loadweir/recordings", why: "recordings made by `record`" },
  { value: "/var/lib/loadweir/config", why: "last good configuration, for when the files cannot be used" },
  { value: "/var/lib/loadweir/mail", why: "mails that could not be sent yet" },
  { value: "/var/lib/loadweir/probe", why: "which sites have passed" },
  { value: "/var/log/loadweir", why: "log of incidents, and the journal to replay" },
  { value: "/var/log/boa/high.load.incident.log", why: "log of incidents on a BOA host" },
  ...["critical_load", "max_load", "normal_load", "spider_load", "boa_second_auto_healing"].map((name) => ({
    value: `/run/${name}.pid`,
    why: "markers that BOA's watchdogs look for",
  })),
  ...["/etc/nginx/loadweir", "/data/conf"].flatMap((folder) =>
    ["nginx_high_load.conf", "nginx_high_load_off.conf"].map((name) => ({
      value: `${folder}/${name}`,
      why: "the crawler block, switched by its name",
    }))
  ),
  ...METRICS_FILES,
  ...FAMILIES.flatMap((family) => {
    const path = UFW_FILES[family];
    return [path, newNameOf(path), originalOf(path)].map((value) => ({
      value,
      why: "ufw's lines for pings, and the file as it was, where ufw is to stop pings",
    }));
  }),
];

/** Programs that stop answering pings, and what tells whether they have. */
const PING_PROGRAMS: readonly Omit<Permission, "kind">[] = [
  { value: "/usr/sbin/nft", why: "stops answering pings and answers again, by a table of its own" },
  ...["/usr/sbin/sysctl", "/sbin/sysctl"].map((value) => ({
    value,
    why: "stops answering pings and answers again, by the kernel's switches",
  })),
  { value: "/usr/sbin/ufw", why: "loads ufw's rules, where those stop pings" },
  ...["/usr/sbin", "/sbin"].flatMap((folder) =>
    ["iptables-restore", "ip6tables-restore"].map((name) => ({
      value: `${folder}/${name}`,
      why: "tests ufw's rules before they are loaded",
    }))
  ),
  ...["/usr/sbin", "/sbin"].flatMap((folder) =>
    ["iptables", "ip6tables"].map((name) => ({
      value: `${folder}/${name}`,
      why: "shows whether ufw's rules are loaded",
    }))
  ),
];

/**
 * Sockets of servers of this host. A connection takes both reading and writing at the exact path; a pool with
 * another socket is only seen from outside, and its page not asked for.
 */
const SOCKETS: readonly Omit<Permission, "kind">[] = [
  ...[
    "/run/php/php-fpm.sock",
    "/run/php/php-fpm-status.sock",
    ...PHP_VERSIONS.flatMap((version) => [
      `/run/php/php${version}-fpm.sock`,
      `/run/php/php${version}-fpm-status.sock`,
    ]),
    "/run/php-fpm/www.sock",
    "/run/php-fpm/status.sock",
    ...PHP_NUMBERS.map((number) => `/var/opt/remi/php${number}/run/php-fpm/www.sock`),
    ...PHP_NUMBERS.map((number) => `/run/www${number}.fpm.socket`),
  ].map((value) => ({ value, why: "asks php-fpm how many of its workers are busy" })),
  ...["/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/run/postgresql/.s.PGSQL.5432"]
    .map((value) => ({ value, why: "asks the database of this host for a greeting" })),
  // A whole folder, because instances come and go: a socket in it is only connected to, and never made here.
  { value: METRICS_FOLDER, why: "asks instances of the web tier for their figures, at unix sockets" },
];

/** The folders of sockets that may be read anyway; each line more makes every read dearer. */
const SOCKET_FOLDERS = ["/run/php/", "/run/php-fpm/", "/var/opt/remi/"] as const;

/** Programs that hand on mail, and what tells whether a BOA host has settled enough to be mailed about. */
const MAIL_PROGRAMS: readonly Omit<Permission, "kind">[] = [
  "/usr/bin/s-nail",
  "/usr/sbin/sendmail",
  "/usr/lib/sendmail",
  "/usr/bin/mail",
].map((value) => ({ value, why: "mails incidents, where an address is configured" }));

/** Hooks: run by fixed names, when root alone could have written them. */
const HOOK_PROGRAMS: readonly Omit<Permission, "kind">[] = HOOK_NAMES.map((name) => ({
  value: `${HOOK_FOLDER}/${name}`,
  why: "hook of this host, where it has one",
}));

/**
 * Where balancers ask for the verdict. An address of IPv4 is only known on the host, hence the network of all of
 * them; the runtime has no such thing for IPv6. It tells listening and connecting not apart.
 */
const LISTENERS: readonly Omit<Permission, "kind">[] = [
  { port: HTTP_PORT, why: "pages: `/healthz`, `/livez`, `/metrics`, the status page" },
  { port: AGENT_PORT, why: "HAProxy's agent-check" },
].flatMap(({ port, why }) => [
  { value: `0.0.0.0/0:${port}`, why: `${why}, at an address of IPv4` },
  ...IPV6_ADDRESSES.map((address) => ({ value: endpointText(address, port), why })),
]);

/**
 * Where sites are asked for. Any port, because sites have any; the runtime lets the binary listen there as well,
 * which TLS of the probe does for a moment. Addresses alone: to look up a name takes a grant for every name.
 */
export const LOOPBACK_ADDRESSES: readonly string[] = ["127.0.0.1", "[::1]"];

/** Everything that the binary may do. */
export const PERMISSIONS: readonly Permission[] = [
  ...READS.map((entry) => ({ kind: "read" as const, ...entry })),
  ...SOCKETS.filter(({ value }) => !SOCKET_FOLDERS.some((folder) => value.startsWith(folder)))
    .map((entry) => ({ kind: "read" as const, ...entry })),
  ...METRICS_FILES.map((entry) => ({ kind: "read" as const, ...entry })),
  ...WRITES.map((entry) => ({ kind: "write" as const, ...entry })),
  ...SOCKETS.map((entry) => ({ kind: "write" as const, ...entry })),
  ...PROGRAMS.map((entry) => ({ kind: "run" as const, ...entry })),
  ...PING_PROGRAMS.map((entry) => ({ kind: "run" as const, ...entry })),
  ...MAIL_PROGRAMS.map((entry) => ({ kind: "run" as const, ...entry })),
  ...HOOK_PROGRAMS.map((entry) => ({ kind: "run" as const, ...entry })),
  ...LISTENERS.map((entry) => ({ kind: "net" as const, ...entry })),
  ...LOOPBACK_ADDRESSES.map((value) => ({
    kind: "net" as const,
    value,
    why: "asks this host for its sites, php-fpm and the database, to see that they answer",
  })),
  { kind: "env", value: "NOTIFY_SOCKET", why: "where systemd listens, for `systemd-notify`" },
  { kind: "env", value: "WATCHDOG_USEC", why: "how long systemd waits for a word of the agent" },
  { kind: "sys", value: "loadavg", why: "load, where there is no proc root" },
  { kind: "sys", value: "systemMemoryInfo", why: "memory, where there is no proc root" },
  { kind: "sys", value: "cpus", why: "number of CPUs, where there is no proc root" },
  { kind: "sys", value: "osUptime", why: "time since boot, where there is no proc root" },
  { kind: "sys", value: "osRelease", why: "version of the kernel, for `check` and recordings" },
  { kind: "sys", value: "hostname", why: "name of the host, for people" },
  { kind: "sys", value: "setPriority", why: "the agent's own nice value" },
  { kind: "sys", value: "uid", why: "whether it runs as root, who may read all of this" },
];

/** The values granted for a kind, in the order of the list; empty where nothing is. Never throws. */
export function permittedValues(
  kind: PermissionKind,
  permissions: readonly Permission[] = PERMISSIONS,
): readonly string[] {
  return permissions.filter((permission) => permission.kind === kind).map((permission) => permission.value);
}

/**
 * The list as flags for `deno run` and `deno compile`, with `--no-prompt` first: `--allow-sys=loadavg,cpus`.
 * A kind of which nothing is granted has no flag, so all of it is refused.
 *
 * @throws {RangeError} If a value is empty, holds a comma or a wildcard, or is a relative path or program: as
 * a flag it would grant something else
 */
export function permissionFlags(permissions: readonly Permission[] = PERMISSIONS): readonly string[] {
  for (const permission of permissions) assertExact(permission);
  return [
    "--no-prompt",
    ...PERMISSION_KINDS.flatMap((kind) => {
      const values = permittedValues(kind, permissions);
      return values.length === 0 ? [] : [`--allow-${kind}=${values.join(",")}`];
    }),
  ];
}

/** @throws {RangeError} As `permissionFlags` */
function assertExact({ kind, value }: Permission): void {
  const isPath = kind === "read" || kind === "write" || kind === "run";
  if (value === "" || /[,*]/.test(value) || (isPath && (!value.startsWith("/") || value === "/"))) {
    const expected = isPath ? "an absolute path below /" : "one name or address";
    throw new RangeError(
      `Cannot grant ${kind} ${JSON.stringify(value)}: expected ${expected} without comma or *`,
    );
  }
}

/** A tool by its path in `/usr/bin` and by the one in `/bin`. */
function bothSpellings(name: string, why: string): readonly Omit<Permission, "kind">[] {
  return [{ value: `/usr/bin/${name}`, why }, { value: `/bin/${name}`, why }];
}
