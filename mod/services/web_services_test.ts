import { assertEquals } from "@std/assert";
import { parseCmdline } from "../proc/pid_cmdline.ts";
import { findWebTier } from "../processes/web_tier.ts";
import { absent, failed, ok } from "../reading.ts";
import { aUnitState } from "../testing/check.ts";
import { aProcess } from "../testing/process.ts";
import type { WebMaster } from "./ownership.ts";
import type { ServiceFile } from "./service_file.ts";
import type { UnitState } from "./systemctl.ts";
import { findWebServices, type WebServices, type WebSigns } from "./web_services.ts";

function aFile(name: string, command?: string, state?: UnitState): ServiceFile {
  return { name, path: `/lib/systemd/system/${name}`, command: command?.split(" "), state };
}

function nginx(pid: number, rest: Partial<WebMaster> = {}): WebMaster {
  return {
    kind: "nginx",
    pid,
    ppid: 1,
    program: "/usr/sbin/nginx",
    confPath: undefined,
    unit: failed("no proc root"),
    inContainer: false,
    uid: 0,
    ...rest,
  };
}

function fpm(pid: number, confPath: string, rest: Partial<WebMaster> = {}): WebMaster {
  return { ...nginx(pid), kind: "php-fpm", program: undefined, confPath, ...rest };
}

function mainPid(id: string, pid: number): UnitState {
  return aUnitState(id, { mainPid: pid });
}

/** Services by name of file or path of program with the pids of their masters, then the foreign ones. */
function summaryOf(signs: Partial<WebSigns>): readonly unknown[] {
  const found: WebServices = findWebServices({
    manager: "systemd",
    files: [],
    programs: [],
    masters: [],
    ...signs,
  });
  return [
    ...found.services.map(({ file, program, masters }) => [
      file?.name ?? program,
      ...masters.map(({ pid }) => pid),
    ]),
    ...found.foreign.map(({ master, reason }) => `${reason} ${master.pid}`),
  ];
}

const NGINX = aFile("nginx.service", "/usr/sbin/nginx -g x");
const DEBIAN_FPM = aFile(
  "php8.2-fpm.service",
  "/usr/sbin/php-fpm8.2 --nodaemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf",
);

for (const system of ["debian", "rhel", "boa"]) {
  Deno.test(`findWebServices() names the php-fpm of ${system} by what is there`, async () => {
    const folder = new URL("../../fixtures/cases/c73-php-fpm-unit-names/", import.meta.url);
    const expected = JSON.parse(await Deno.readTextFile(new URL("expect.json", folder))).expect[system];
    const names = (await Deno.readTextFile(new URL(`${system}/units.txt`, folder))).trim().split("\n");
    const title = parseCmdline(await Deno.readTextFile(new URL(`${system}/proc/10/cmdline`, folder)));
    const [master] = findWebTier([aProcess(10, "php-fpm", { argv: title })]).fpm;
    const { services } = findWebServices({
      manager: system === "boa" ? "sysv" : "systemd",
      files: [aFile("php7.4-fpm.service"), aFile("php56-fpm"), ...names.map((name) => aFile(name))],
      programs: [],
      masters: [fpm(10, master?.confPath ?? "")],
    });
    const running = services.filter(({ masters }) => masters.length > 0);
    assertEquals(running.map(({ file }) => file?.name.replace(".service", "")), [expected]);
  });
}

Deno.test("findWebServices() goes by the cgroup before anything else", () => {
  const files = [NGINX, aFile("web.service", "/usr/sbin/nginx -c /etc/nginx/web.conf"), DEBIAN_FPM];
  const masters = [
    nginx(10, { unit: ok("web.service") }),
    nginx(20, { unit: ok("nginx.service") }),
    fpm(30, "/etc/php/8.2/fpm/php-fpm.conf", { unit: ok("php8.2-fpm.service"), uid: 33 }),
  ];
  assertEquals(summaryOf({ files, masters }), [
    ["nginx.service", 20],
    ["web.service", 10],
    ["php8.2-fpm.service", 30],
  ]);
});

Deno.test("findWebServices() knows the unit that systemd made of an init script", () => {
  const masters = [fpm(10, "/opt/php84/etc/php84-fpm.conf", { unit: ok("php84-fpm.service") })];
  assertEquals(summaryOf({ files: [aFile("php84-fpm")], masters }), [["php84-fpm", 10]]);
});

Deno.test("findWebServices() keeps off what systemd has elsewhere, whatever its command", () => {
  const masters = [
    nginx(10, { unit: ok("session-3.scope") }),
    nginx(20, { unit: absent("in no unit") }),
    nginx(30, { unit: ok("nginx.service"), inContainer: true }),
  ];
  assertEquals(summaryOf({ files: [NGINX], masters }), [
    ["nginx.service"],
    "outside-unit 10",
    "outside-unit 20",
    "container 30",
  ]);
});

Deno.test("findWebServices() goes by the main pid where the cgroup cannot be read", () => {
  const files = [
    aFile("nginx.service", "/usr/sbin/nginx"),
    aFile("web.service", "/usr/sbin/nginx -c /etc/nginx/web.conf", mainPid("web.service", 20)),
  ];
  assertEquals(summaryOf({ files, masters: [nginx(20, { program: undefined })] }), [
    ["nginx.service"],
    ["web.service", 20],
  ]);
});

Deno.test("findWebServices() tells units of one program apart by the configuration they name", () => {
  const files = [NGINX, aFile("web.service", "/usr/sbin/nginx -c /etc/nginx/web.conf")];
  assertEquals(summaryOf({ files, masters: [nginx(10), nginx(20, { confPath: "/etc/nginx/web.conf" })] }), [
    ["nginx.service", 10],
    ["web.service", 20],
  ]);
});

Deno.test("findWebServices() goes by the command of a unit, configuration included", () => {
  const files = [
    aFile("nginx.service", "/usr/sbin/nginx -c /etc/nginx/nginx.conf"),
    aFile("nginx-debug.service", "/usr/sbin/nginx-debug -c /etc/nginx/nginx.conf"),
    DEBIAN_FPM,
  ];
  const masters = [
    nginx(10, { program: "/usr/sbin/nginx-debug", confPath: "/etc/nginx/nginx.conf" }),
    fpm(20, "/etc/php/8.2/fpm/php-fpm.conf"),
  ];
  assertEquals(summaryOf({ files, masters }), [
    ["nginx.service"],
    ["nginx-debug.service", 10],
    ["php8.2-fpm.service", 20],
  ]);
});

Deno.test("findWebServices() takes for a service no master that another user runs", () => {
  assertEquals(summaryOf({ manager: "sysv", files: [aFile("nginx")], masters: [nginx(10, { uid: 1000 })] }), [
    ["nginx"],
    "other-user 10",
  ]);
});

Deno.test("findWebServices() takes for the init script no nginx with a configuration elsewhere", () => {
  const masters = [nginx(10), nginx(20, { confPath: "/srv/nginx.conf" })];
  assertEquals(summaryOf({ manager: "sysv", files: [aFile("nginx")], masters }), [
    ["nginx", 10],
    "second-instance 20",
  ]);
});

Deno.test("findWebServices() takes for the init script no php-fpm with a configuration elsewhere", () => {
  const files = [aFile("php8.2-fpm")];
  const second = fpm(20, "/srv/fpm.conf", { program: "/usr/sbin/php-fpm8.2" });
  const beside = fpm(30, "/etc/php/8.2/fpm/second.conf", { program: "/usr/sbin/php-fpm8.2" });
  assertEquals(summaryOf({ manager: "sysv", files, masters: [second] }), [
    ["php8.2-fpm"],
    "second-instance 20",
  ]);
  const masters = [beside, fpm(10, "/etc/php/8.2/fpm/php-fpm.conf"), second];
  assertEquals(summaryOf({ manager: "sysv", files, masters }), [
    ["php8.2-fpm", 10],
    "ambiguous 30",
    "second-instance 20",
  ]);
});

Deno.test("findWebServices() prefers the default configuration to others beside it", () => {
  const masters = [nginx(10, { confPath: "/etc/nginx/second.conf" }), nginx(20)];
  assertEquals(summaryOf({ manager: "sysv", files: [aFile("nginx")], masters }), [
    ["nginx", 20],
    "ambiguous 10",
  ]);
  assertEquals(summaryOf({ manager: "none", masters }), [["/usr/sbin/nginx", 20], "second-instance 10"]);
});

Deno.test("findWebServices() without a manager goes by the folder of the configuration", () => {
  const nginxAt = (pid: number, confPath: string): WebMaster => nginx(pid, { confPath });
  const masters = [
    nginxAt(10, "/etc/nginx/nginx.conf"),
    nginxAt(11, "/srv/other.conf"),
    nginxAt(12, "/opt/other/nginx.conf"),
    fpm(20, "/etc/php/8.2/fpm/php-fpm.conf", { program: "/usr/sbin/php-fpm8.2" }),
    fpm(21, "/opt/php84/etc/php84-fpm.conf", { program: "/opt/php84/sbin/php-fpm" }),
    fpm(22, "/root/fpm.conf", { program: "/usr/sbin/php-fpm8.2" }),
    fpm(23, "", { program: "/usr/sbin/php-fpm8.1" }),
  ];
  assertEquals(summaryOf({ manager: "none", masters }), [
    ["/usr/sbin/nginx", 10],
    ["/usr/sbin/php-fpm8.2", 20],
    ["/opt/php84/sbin/php-fpm", 21],
    "second-instance 11",
    "second-instance 12",
    "second-instance 22",
    "second-instance 23",
  ]);
});

Deno.test("findWebServices() gives away none of several that are alike, without a manager", () => {
  assertEquals(summaryOf({ manager: "none", masters: [nginx(10), nginx(20)] }), [
    "second-instance 10",
    "second-instance 20",
  ]);
});

Deno.test("findWebServices() gives away none of several masters that could be the service", () => {
  const signs = { manager: "sysv", files: [aFile("nginx")] } as const;
  for (const masters of [[nginx(10), nginx(20)], [nginx(20), nginx(10)]]) {
    const [service, ...foreign] = summaryOf({ ...signs, masters });
    assertEquals([service, foreign.toSorted()], [["nginx"], ["ambiguous 10", "ambiguous 20"]]);
  }
});

Deno.test("findWebServices() keeps both masters while a binary is replaced", () => {
  const masters = [nginx(10), nginx(20, { ppid: 10 })];
  assertEquals(summaryOf({ manager: "sysv", files: [aFile("nginx")], masters }), [["nginx", 10, 20]]);
  assertEquals(summaryOf({ manager: "none", masters }), [["/usr/sbin/nginx", 10, 20]]);
});

Deno.test("findWebServices() puts programs to services, and shows those that are left", () => {
  const programs = [
    "/usr/sbin/nginx",
    "/usr/sbin/php-fpm8.2",
    "/usr/sbin/php-fpm8.4",
    "/opt/php56/sbin/php-fpm",
  ];
  const files = [aFile("nginx"), DEBIAN_FPM, aFile("php56-fpm")];
  const { services } = findWebServices({ manager: "sysv", files, programs, masters: [] });
  assertEquals(services.map(({ kind, file, program }) => [kind, file?.name, program]), [
    ["nginx", "nginx", "/usr/sbin/nginx"],
    ["php-fpm", "php56-fpm", "/opt/php56/sbin/php-fpm"],
    ["php-fpm", "php8.2-fpm.service", "/usr/sbin/php-fpm8.2"],
    ["php-fpm", undefined, "/usr/sbin/php-fpm8.4"],
  ]);
});

Deno.test("findWebServices() passes over other services and templates, and goes by what is started", () => {
  const files = [
    aFile("mariadb.service", "/usr/sbin/mariadbd"),
    aFile("php-fpm@.service", "/usr/sbin/php-fpm -y %i"),
    aFile("nginx-exporter.service", "/usr/bin/nginx-exporter"),
    aFile("gateway.service", "/usr/local/openresty/nginx/sbin/nginx"),
  ];
  assertEquals(summaryOf({ files }), [["gateway.service"]]);
});
