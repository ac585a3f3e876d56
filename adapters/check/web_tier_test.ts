import { assertEquals } from "@std/assert";
import type { ProcessTable } from "../../mod/processes/process.ts";
import { absent, failed, maybeValue, ok, type Reading, whyMissing } from "../../mod/reading.ts";
import { SHOW_ARGUMENTS } from "../../mod/services/systemctl.ts";
import { aProcess, aTable } from "../../mod/testing/process.ts";
import type { Source } from "../source.ts";
import { answering, makeTempHost, type TempEntry } from "./temp_host.ts";
import { lookAtWebTier } from "./web_tier.ts";

const PROC: Source = { kind: "proc-root", root: "/run/loadweir/proc", name: "bind-mount" };
const NO_PROC: Source = { kind: "kernel-calls", name: "kernel-calls" };

const PROGRAMS: Readonly<Record<string, TempEntry>> = {
  "/usr/sbin/nginx": "",
  "/usr/sbin/php-fpm8.2": "",
  "/opt/php84/sbin/php-fpm": "",
};

const VERSIONS = {
  "/usr/sbin/nginx -v": { stderr: "nginx version: nginx/1.22.1\n" },
  "/usr/sbin/php-fpm8.2 -v": { stdout: "PHP 8.2.32 (fpm-fcgi) (built: x)\n" },
  "/opt/php84/sbin/php-fpm -v": { code: 78, stderr: "no" },
};

const UNITS: Readonly<Record<string, TempEntry>> = {
  "/run/systemd/system/x": "",
  "/usr/bin/systemctl": "",
  "/lib/systemd/system/nginx.service": "[Service]\nExecStart=/usr/sbin/nginx\n",
  "/lib/systemd/system/php8.2-fpm.service":
    "[Service]\nExecStart=/usr/sbin/php-fpm8.2 -y /etc/php/8.2/fpm/php-fpm.conf\n",
};

function tableOf(...processes: ProcessTable["processes"]): Reading<ProcessTable> {
  return ok(aTable(processes, { selfPid: 1 }));
}

const RUNNING = tableOf(
  aProcess(10, "nginx", { argv: ["nginx: master process /usr/sbin/nginx -g daemon on;"] }),
  aProcess(11, "nginx", { ppid: 10, argv: ["nginx: worker process"] }),
  aProcess(20, "php-fpm8.2", { argv: ["php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)"] }),
  aProcess(21, "php-fpm8.2", { ppid: 20, argv: ["php-fpm: pool www"] }),
  aProcess(22, "php-fpm8.2", { ppid: 20, argv: ["php-fpm: pool www"] }),
);

/** What a proc root tells of a master. */
function master(pid: number, exe: string, unit: string, uid: number): Readonly<Record<string, TempEntry>> {
  const folder = `/run/loadweir/proc/${pid}`;
  return {
    [`${folder}/exe`]: { link: exe },
    [`${folder}/cgroup`]: `0::/system.slice/${unit}\n`,
    [`${folder}/status`]: `Name:\tx\nUid:\t0\t${uid}\t0\t0\n`,
  };
}

Deno.test("lookAtWebTier() puts together programs, versions, units, masters and pools", async () => {
  await using host = await makeTempHost({
    ...PROGRAMS,
    ...UNITS,
    ...master(10, "/usr/sbin/nginx (deleted)", "nginx.service", 0),
    ...master(20, "/usr/sbin/php-fpm8.2", "php8.2-fpm.service", 0),
    "/etc/php/8.2/fpm/php-fpm.conf": "[global]\ninclude=/etc/php/8.2/fpm/pool.d/*.conf\n",
    "/etc/php/8.2/fpm/pool.d/www.conf": "[www]\n",
    "/etc/php/8.2/fpm/pool.d/idle.conf": "[idle]\n",
    "/etc/php/8.2/fpm/pool.d/old.conf.bak": "[old]\n",
  });
  const web = await lookAtWebTier(RUNNING, { host: host.files, run: answering(VERSIONS), source: PROC });
  assertEquals(
    web.services.map(({ file, program, version, masters, workerCount, pools }) => [
      file?.name,
      program,
      maybeValue(version) ?? whyMissing(version),
      masters.map(({ pid }) => pid),
      workerCount,
      pools,
    ]),
    [
      ["nginx.service", "/usr/sbin/nginx", "1.22.1", [10], 1, []],
      [
        "php8.2-fpm.service",
        "/usr/sbin/php-fpm8.2",
        "8.2.32",
        [20],
        2,
        [{ name: "www", workerCount: 2 }, { name: "idle", workerCount: 0 }],
      ],
      [undefined, "/opt/php84/sbin/php-fpm", '"/opt/php84/sbin/php-fpm -v" exited 78: no', [], 0, []],
    ],
  );
  assertEquals([web.manager, web.foreign, web.orphanPids], ["systemd", [], []]);
});

Deno.test("lookAtWebTier() reads what tells a stranger: user, unit, pid namespace", async () => {
  await using host = await makeTempHost({
    ...UNITS,
    ...master(10, "/home/u/nginx", "user.slice/user-1000.slice/session-3.scope", 1000),
    ...master(30, "/usr/sbin/nginx", "docker-0a.scope", 0),
  });
  const table = tableOf(
    aProcess(10, "nginx", { argv: ["nginx: master process ./nginx -c /home/u/nginx.conf"] }),
    aProcess(30, "nginx", { argv: ["nginx: master process nginx"], namespaceDepth: 2 }),
  );
  const { foreign } = await lookAtWebTier(table, { host: host.files, run: answering({}), source: PROC });
  assertEquals(foreign, [
    {
      reason: "outside-unit",
      master: {
        kind: "nginx",
        pid: 10,
        ppid: 1,
        program: "/home/u/nginx",
        confPath: "/home/u/nginx.conf",
        unit: ok("session-3.scope"),
        inContainer: false,
        uid: 1000,
      },
    },
    {
      reason: "container",
      master: {
        kind: "nginx",
        pid: 30,
        ppid: 1,
        program: "/usr/sbin/nginx",
        confPath: undefined,
        unit: ok("docker-0a.scope"),
        inContainer: true,
        uid: 0,
      },
    },
  ]);
});

Deno.test("lookAtWebTier() goes by main pids and titles where there is no proc root", async () => {
  await using host = await makeTempHost({ ...PROGRAMS, ...UNITS });
  const shown = ["/usr/bin/systemctl", ...SHOW_ARGUMENTS, "nginx.service", "php8.2-fpm.service"].join(" ");
  const run = answering({ ...VERSIONS, [shown]: { stdout: "Id=nginx.service\nMainPID=10\n" } });
  const unknown = { namespaceDepth: undefined, startTicks: undefined };
  const table = tableOf(
    ...(maybeValue(RUNNING)?.processes ?? []).map((process) => ({ ...process, ...unknown })),
  );
  const { services, foreign } = await lookAtWebTier(table, { host: host.files, run, source: NO_PROC });
  assertEquals(
    services.slice(0, 2).map(({ file, masters }) => [file?.name, masters[0]?.pid, masters[0]?.unit]),
    [
      ["nginx.service", 10, failed("no proc root")],
      ["php8.2-fpm.service", 20, failed("no proc root")],
    ],
  );
  assertEquals(foreign, []);
});

Deno.test("lookAtWebTier() runs only listed programs, and those for their version alone", async () => {
  await using host = await makeTempHost({
    ...PROGRAMS,
    ...UNITS,
    ...master(10, "/srv/own/sbin/nginx", "nginx.service", 0),
  });
  const calls: string[] = [];
  const table = tableOf(aProcess(10, "nginx", { argv: ["nginx: master process /srv/own/sbin/nginx"] }));
  const ports = { host: host.files, run: answering(VERSIONS, calls), source: PROC };
  await using bare = await makeTempHost({ ...master(10, "/srv/own/sbin/nginx", "nginx.service", 0) });
  const [service] = (await lookAtWebTier(table, { ...ports, host: bare.files })).services;
  assertEquals(
    service?.version,
    absent("/srv/own/sbin/nginx is not among the programs that this binary may run"),
  );
  await lookAtWebTier(table, ports);
  assertEquals(calls.filter((call) => !call.startsWith("/usr/bin/systemctl show ")).toSorted(), [
    "/opt/php84/sbin/php-fpm -v",
    "/usr/sbin/nginx -v",
    "/usr/sbin/php-fpm8.2 -v",
  ]);
});

Deno.test("lookAtWebTier() still tells what is installed when the processes cannot be read", async () => {
  await using host = await makeTempHost({ "/usr/sbin/nginx": "", "/etc/init.d/nginx": { program: "" } });
  const { manager, services } = await lookAtWebTier(failed("no ps"), {
    host: host.files,
    run: answering({ "/usr/sbin/nginx -v": { timedOut: true, code: 137 } }),
    source: NO_PROC,
  });
  assertEquals([manager, services.map(({ file, masters }) => [file?.name, masters])], ["sysv", [[
    "nginx",
    [],
  ]]]);
  assertEquals(services[0]?.version, failed('"/usr/sbin/nginx -v" gave no answer within 5000 ms'));
});
