import { assertEquals } from "@std/assert";
import type { ProcessInfo } from "../processes/process.ts";
import { findWebTier } from "../processes/web_tier.ts";
import { absent, failed, ok, type Reading } from "../reading.ts";
import type { ServiceManager, WebMaster } from "../services/ownership.ts";
import type { ServiceFile } from "../services/service_file.ts";
import { findWebServices } from "../services/web_services.ts";
import { aProcess, pidsOf } from "../testing/process.ts";
import {
  findOwnServices,
  isRunning,
  type OwnServices,
  type PidFile,
  processesOf,
  withEnding,
} from "./own_services.ts";

/** Names and commands of units or scripts. */
const SCRIPTS: readonly ServiceFile[] = [aFile("nginx"), aFile("php8.2-fpm")];
const UNITS: readonly ServiceFile[] = [
  aFile("nginx.service", "/usr/sbin/nginx -g x"),
  aFile(
    "php8.2-fpm.service",
    "/usr/sbin/php-fpm8.2 --nodaemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf",
  ),
];

function aFile(name: string, command?: string): ServiceFile {
  return { name, path: `/x/${name}`, command: command?.split(" "), state: undefined };
}

function nginx(pid: number, ppid: number, title: string, rest: Partial<ProcessInfo> = {}): ProcessInfo {
  return aProcess(pid, "nginx", { ppid, argv: [`nginx: ${title}`], ...rest });
}

function fpm(pid: number, ppid: number, title: string): ProcessInfo {
  return aProcess(pid, "php-fpm8.2", { ppid, argv: [`php-fpm: ${title}`] });
}

const NGINX = [
  nginx(10, 1, "master process /usr/sbin/nginx -c /etc/nginx/nginx.conf"),
  nginx(11, 10, "worker process"),
  nginx(12, 10, "worker process is shutting down"),
  nginx(13, 10, "cache manager process"),
];
const FPM = [
  fpm(20, 1, "master process (/etc/php/8.2/fpm/php-fpm.conf)"),
  fpm(21, 20, "pool www"),
  fpm(22, 20, "pool shop"),
];

/** What is told of a process without a master: its unit and its session. */
type Signs = Readonly<Record<number, { readonly unit?: Reading<string>; readonly sessionId?: number }>>;

interface Host {
  readonly manager?: ServiceManager;
  readonly files?: readonly ServiceFile[];
  readonly programs?: readonly string[];
  readonly signs?: Signs;
  readonly pidFiles?: readonly PidFile[];
}

function find(processes: readonly ProcessInfo[], host: Host): OwnServices {
  const { manager = "sysv", files = SCRIPTS, programs = [], signs = {}, pidFiles = [] } = host;
  const tier = findWebTier(processes);
  const master = ({ pid, ppid }: ProcessInfo): Omit<WebMaster, "kind" | "program" | "confPath"> => ({
    pid,
    ppid,
    unit: signs[pid]?.unit ?? absent("in no unit"),
    inContainer: false,
    uid: 0,
  });
  const masters: WebMaster[] = [
    ...tier.nginx.map((instance) => ({
      ...master(instance.master),
      kind: "nginx" as const,
      program: "/usr/sbin/nginx",
      confPath: "/etc/nginx/nginx.conf",
    })),
    ...tier.fpm.map((instance) => ({
      ...master(instance.master),
      kind: "php-fpm" as const,
      program: "/usr/sbin/php-fpm8.2",
      confPath: instance.confPath,
    })),
  ];
  const { services } = findWebServices({ manager, files, programs, masters });
  const loose = [...tier.orphans, ...tier.unclear].map((process) => ({
    process,
    unit: signs[process.pid]?.unit ?? absent("in no unit"),
    sessionId: signs[process.pid]?.sessionId,
  }));
  return findOwnServices({ manager, services, tier, loose, pidFiles });
}

/** Names of services with the pids of their processes, then the unsure. */
function summaryOf({ services, unsure }: OwnServices): readonly unknown[] {
  const running = services.filter(isRunning).map((service) => [
    service.ref.name,
    ...pidsOf(processesOf(service)),
  ]);
  return unsure.length === 0 ? running : [...running, `unsure ${pidsOf(unsure)}`];
}

Deno.test("findOwnServices() names services as their manager does, and how to start them again", () => {
  const refsOf = (host: Host): unknown => find([...NGINX, ...FPM], host).services.map(({ ref }) => ref);
  const nginxRef = {
    kind: "nginx",
    program: "/usr/sbin/nginx",
    args: ["-c", "/etc/nginx/nginx.conf"],
    confPath: "/etc/nginx/nginx.conf",
  };
  const fpmRef = {
    kind: "php-fpm",
    program: "/usr/sbin/php-fpm8.2",
    args: ["--fpm-config", "/etc/php/8.2/fpm/php-fpm.conf"],
    confPath: "/etc/php/8.2/fpm/php-fpm.conf",
  };
  assertEquals(refsOf({ manager: "sysv" }), [
    { ...nginxRef, manager: "sysv", name: "nginx" },
    { ...fpmRef, manager: "sysv", name: "php8.2-fpm" },
  ]);
  assertEquals(refsOf({ manager: "none", files: [] }), [
    { ...nginxRef, manager: "none", name: "/usr/sbin/nginx" },
    { ...fpmRef, manager: "none", name: "/usr/sbin/php-fpm8.2" },
  ]);
  const signs = { 10: { unit: ok("nginx.service") }, 20: { unit: ok("php8.2-fpm.service") } };
  assertEquals(refsOf({ manager: "systemd", files: UNITS, signs }), [
    { ...nginxRef, manager: "systemd", name: "nginx.service" },
    {
      ...fpmRef,
      manager: "systemd",
      name: "php8.2-fpm.service",
      args: ["--nodaemonize", "--fpm-config", "/etc/php/8.2/fpm/php-fpm.conf"],
    },
  ]);
  // systemd makes a unit of a script.
  assertEquals(
    find(NGINX, { manager: "systemd", signs: { 10: { unit: ok("nginx.service") } } }).services[0]?.ref.name,
    "nginx.service",
  );
});

Deno.test("findOwnServices() gives a service its master, workers and helpers", () => {
  assertEquals(summaryOf(find([...NGINX, ...FPM], {})), [["nginx", 10, 11, 12, 13], [
    "php8.2-fpm",
    20,
    22,
    21,
  ]]);
});

Deno.test("findOwnServices() knows what does not run, so that it can be started", () => {
  const { services } = find([], { manager: "none", files: [], programs: ["/usr/sbin/nginx"] });
  assertEquals(services.map(({ ref }) => [ref.manager, ref.name]), [["none", "/usr/sbin/nginx"]]);
  assertEquals(services.some(isRunning), false);
});

Deno.test("findOwnServices() takes a child of the master that has no title yet", () => {
  const young = aProcess(14, "nginx", { ppid: 10, argv: ["/usr/sbin/nginx"] });
  assertEquals(summaryOf(find([...NGINX, young], {})), [["nginx", 10, 11, 12, 13, 14]]);
});

const ORPHANS = [nginx(11, 1, "worker process"), nginx(12, 1, "worker process")];

Deno.test("findOwnServices() takes workers without a master by the session that a pid file names", () => {
  const signs = { 11: { sessionId: 10 }, 12: { sessionId: 77 } };
  const pidFiles = [{ name: "nginx.pid", pid: 10 }];
  assertEquals(summaryOf(find(ORPHANS, { signs, pidFiles })), [["nginx", 11], "unsure 12"]);
  assertEquals(summaryOf(find(ORPHANS, { signs })), ["unsure 11,12"]);
});

Deno.test("findOwnServices() takes a pid file for that of a service by kind and version", () => {
  const orphans = [fpm(21, 1, "pool www")];
  const signs = { 21: { sessionId: 20 } };
  const named = (name: string): unknown => summaryOf(find(orphans, { signs, pidFiles: [{ name, pid: 20 }] }));
  assertEquals(named("php8.2-fpm.pid"), [["php8.2-fpm", 21]]);
  assertEquals(named("php82-fpm.pid"), [["php8.2-fpm", 21]]);
  for (const other of ["php8.1-fpm.pid", "nginx.pid", "php-fpm.pid", "second.pid"]) {
    assertEquals(named(other), ["unsure 21"]);
  }
});

Deno.test("findOwnServices() takes workers that are in the session of a master that runs", () => {
  const orphan = nginx(15, 1, "worker process");
  assertEquals(summaryOf(find([...NGINX, orphan], { signs: { 15: { sessionId: 10 } } })), [
    ["nginx", 10, 11, 12, 13, 15],
  ]);
});

Deno.test("findOwnServices() goes by the unit of a worker before anything else", () => {
  const host = { manager: "systemd", files: UNITS, pidFiles: [{ name: "nginx.pid", pid: 10 }] } as const;
  const signs = {
    11: { unit: ok("nginx.service"), sessionId: 77 },
    12: { unit: ok("second.service"), sessionId: 10 },
  };
  assertEquals(summaryOf(find(ORPHANS, { ...host, signs })), [["nginx.service", 11], "unsure 12"]);
});

Deno.test("findOwnServices() takes no worker of a container, or of nobody knows where", () => {
  const signs = { 11: { sessionId: 10 }, 12: { sessionId: 10 } };
  const pidFiles = [{ name: "nginx.pid", pid: 10 }];
  const orphans = [
    nginx(11, 1, "worker process", { namespaceDepth: 2 }),
    nginx(12, 1, "worker process", { namespaceDepth: undefined }),
  ];
  assertEquals(summaryOf(find(orphans, { signs, pidFiles })), ["unsure 11,12"]);
});

Deno.test("findOwnServices() leaves workers whose unit could not be read, unless their session tells", () => {
  const signs = { 11: { unit: failed("no"), sessionId: 10 }, 12: { unit: failed("no") } };
  const pidFiles = [{ name: "nginx.pid", pid: 10 }];
  assertEquals(summaryOf(find(ORPHANS, { signs, pidFiles })), [["nginx", 11], "unsure 12"]);
});

Deno.test("withEnding() takes a master that is about to end for none, and its service for one that runs", () => {
  const [service] = find(NGINX, { manager: "sysv" }).services;
  if (service === undefined) throw new Error("no nginx");
  const ending = withEnding(service, ({ pid }) => pid === 10);
  assertEquals([pidsOf(ending.masters), pidsOf(ending.ending)], [[], [10]]);
  assertEquals([isRunning(ending), pidsOf(processesOf(ending))], [true, pidsOf(processesOf(service))]);
  assertEquals(withEnding(service, () => false), service);
});

Deno.test("findOwnServices() counts to a service what its master has forked just now", () => {
  const [nginxMaster] = NGINX;
  const [fpmMaster] = FPM;
  const fork = (master: ProcessInfo | undefined, pid: number): ProcessInfo => ({
    ...master ?? aProcess(pid, "none"),
    pid,
    ppid: master?.pid ?? 0,
    isFork: true,
  });
  const processes = [...NGINX, fork(nginxMaster, 18), ...FPM, fork(fpmMaster, 28)];
  assertEquals(find(processes, {}).services.map((service) => pidsOf(service.workers).includes(18)), [
    true,
    false,
  ]);
  assertEquals(find(processes, {}).services.map((service) => pidsOf(service.workers).includes(28)), [
    false,
    true,
  ]);
});
