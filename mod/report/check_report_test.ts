import { assert, assertEquals } from "@std/assert";
import type { CheckFindings, ServiceFinding } from "../check/findings.ts";
import { absent, failed, ok } from "../reading.ts";
import {
  aConfigFinding,
  aUnitState,
  BARE_HOST,
  FPM_SERVICE,
  GOOD_HOST,
  NGINX_SERVICE,
} from "../testing/check.ts";
import { renderCheck } from "./check_report.ts";

/** The report as it is printed. */
function report(findings: CheckFindings): string {
  return `${renderCheck(findings).join("\n")}\n`;
}

/** The report as it should be. */
function expected(name: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/check/${name}.txt`, import.meta.url));
}

/** The lines of one part of the report, without its label. */
function part(label: string, findings: CheckFindings): readonly string[] {
  const lines = renderCheck(findings);
  const first = lines.findIndex((line) => line.startsWith(label.padEnd(10)));
  assert(first >= 0, label);
  const count = lines.slice(first + 1).findIndex((line) => !line.startsWith(" ".repeat(10)));
  return lines.slice(first, first + 1 + count).map((line) => line.slice(10));
}

function withServices(...services: readonly ServiceFinding[]): CheckFindings {
  return { ...GOOD_HOST, web: { ...GOOD_HOST.web, services } };
}

Deno.test("renderCheck() of a good host", () => {
  assertEquals(report(GOOD_HOST), expected("good_host"));
});

Deno.test("renderCheck() of a host with a bad configuration", () => {
  const config = aConfigFinding({
    ini: { source: "/etc/loadweir/loadweir.ini", text: "[ladder]\nmax = 7,5\nresume_fracton = 0.7\n" },
    barracuda: { source: "/root/.barracuda.cnf", text: "_CPU_SPIDER_RATIO=3\n_CPU_CRIT_RATIO=2.5\n" },
  });
  assertEquals(report({ ...GOOD_HOST, config }), expected("bad_configuration"));
});

Deno.test("renderCheck() of a container whose load is its host's", () => {
  const { sensors, web } = GOOD_HOST;
  const findings: CheckFindings = {
    ...GOOD_HOST,
    sensors: {
      ...sensors,
      cpuLimit: { cpus: 1.5, cgroup: "/" },
      container: {
        kind: "lxc",
        hostLoad: "the kernel counts 812 tasks, and only 40 threads are in this container",
      },
    },
    web: { ...web, manager: "sysv", services: [{ ...NGINX_SERVICE, masters: [], file: undefined }] },
  };
  assertEquals(report(findings), expected("container"));
});

Deno.test("renderCheck() of a bare host", () => {
  assertEquals(report(BARE_HOST), expected("bare_host"));
});

Deno.test("renderCheck() shows thresholds without a load figure where the CPUs are not known", () => {
  const { sensors } = GOOD_HOST;
  const findings = {
    ...GOOD_HOST,
    sensors: { ...sensors, sample: { ...sensors.sample, load: failed("no loadavg") } },
  };
  assertEquals(part("ladder", findings)[0]?.startsWith("SPIDER > 210 %   crawlers"), true);
  assertEquals(part("load", findings), ["unknown: no loadavg"]);
  assertEquals(
    renderCheck(findings).at(-1)?.endsWith("this host cannot be guarded: no load can be read: no loadavg"),
    true,
  );
});

Deno.test("renderCheck() says that MAX and CRIT are off while the configuration is unusable", () => {
  const config = aConfigFinding({ ini: { source: "/etc/loadweir/loadweir.ini", text: "\0" } });
  const findings = { ...GOOD_HOST, config };
  const effects = part("ladder", findings).map((line) => /CPUs +(.*?) {2}/.exec(line)?.[1]);
  assertEquals(effects, [
    "crawlers are turned away",
    "not in effect, see limits",
    "not in effect, see limits",
    "the web is given back",
    "backend tasks wait",
  ]);
  assertEquals(part("limits", findings), ["no load is more than SPIDER until the configuration is mended"]);
});

Deno.test("renderCheck() says how units stand where that is not as one would expect", () => {
  const { file, masters } = NGINX_SERVICE;
  assert(file !== undefined);
  const withState = (state: ReturnType<typeof aUnitState>, own = masters): ServiceFinding => (
    { ...NGINX_SERVICE, file: { ...file, state }, masters: own }
  );
  assertEquals(
    part(
      "web tier",
      withServices(
        withState(aUnitState("nginx.service", { activeState: "reloading" })),
        withState(aUnitState("nginx.service", { activeState: "failed" })),
        withState(aUnitState("nginx.service", { activeState: "failed" }), []),
        withState(aUnitState("nginx.service"), []),
        withState(aUnitState("nginx.service", { loadState: "masked", activeState: "inactive" }), []),
        { ...FPM_SERVICE, version: absent("/opt/x is not among the programs that this binary may run") },
      ),
    ),
    [
      "nginx 1.22.1: unit nginx.service, running (master 812, 2 workers)",
      "nginx 1.22.1: unit nginx.service, running (master 812, 2 workers), systemd says failed",
      "nginx 1.22.1: unit nginx.service, not running",
      "nginx 1.22.1: unit nginx.service, not running, systemd says active",
      "nginx 1.22.1: unit nginx.service, not running, masked",
      "php-fpm: unit php8.2-fpm.service, running (master 900, pools www: 2 workers, idle: no worker now), " +
      "version unknown: /opt/x is not among the programs that this binary may run",
    ],
  );
});

Deno.test("renderCheck() tells what is not ours and what is not understood", () => {
  const [master] = NGINX_SERVICE.masters;
  assert(master !== undefined);
  const web = {
    ...GOOD_HOST.web,
    services: [],
    foreign: [{ master, reason: "container" }, { master, reason: "other-user" }] as const,
    orphanPids: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    unclearPids: [77],
    problem: "systemctl exited 1: Failed to connect to bus\x1b[2J",
  };
  assertEquals(part("web tier", { ...GOOD_HOST, web }), [
    "not ours: nginx (pid 812), in a container",
    "not ours: nginx (pid 812), run by another user than root",
    "workers without a master: pid 1, 2, 3, 4, 5, 6, 7, 8 and 1 more",
    "named like the web tier, not understood: pid 77",
    "units not known: systemctl exited 1: Failed to connect to bus\ufffd[2J",
  ]);
});

Deno.test("renderCheck() tells a block that nginx does not load", () => {
  const { block } = GOOD_HOST;
  const place = { path: "/etc/nginx/sites-available/a", line: 4, pattern: "/etc/nginx/loadweir/*" };
  const include = { kind: "unreached", places: [place, place] } as const;
  const findings = { ...GOOD_HOST, block: { ...block, state: "on", include } } as const;
  assertEquals(part("block", findings), [
    "/etc/nginx/loadweir/nginx_high_load.conf present, crawlers are blocked now, included by nginx: no, " +
    "only in /etc/nginx/sites-available/a line 4 and 1 more, which it does not load",
  ]);
  assertEquals(part("limits", findings), [
    "SPIDER cannot block crawlers: nginx does not load the file, " +
    "put include /etc/nginx/loadweir/nginx_high_load.c*; into each server",
  ]);
});

Deno.test("renderCheck() tells backups that cannot be told and the marker of one", () => {
  const patterns = ok({
    backups: [],
    runaways: [{
      pattern: "php",
      matches: Array.from({ length: 10 }, (_, i) => ({ pid: i + 1, program: "php", spared: undefined })),
    }],
    undecidedPids: [7],
    marker: { path: "/run/boa_sql_cluster_backup.pid", running: true },
  });
  assertEquals(part("backup", { ...GOOD_HOST, patterns }), [
    "no pattern is configured",
    "  could not be told, count as none: pid 7",
    "  /run/boa_sql_cluster_backup.pid: names a process that runs",
  ]);
  assertEquals(part("runaways", { ...GOOD_HOST, patterns }).at(-1)?.endsWith("pid 8 php and 2 more"), true);
});

Deno.test("renderCheck() says when this process may do more or less than its list", () => {
  const { sandbox } = GOOD_HOST;
  const list = "reads 93 paths, writes 1, runs 46 programs, reaches nothing";
  const text = (change: Partial<typeof sandbox>): readonly string[] =>
    part("sandbox", { ...GOOD_HOST, sandbox: { ...sandbox, ...change } });
  assertEquals(text({ compiled: false }), [`${list}; no --allow-all`]);
  assertEquals(text({ whole: ["write", "run"] }), [`open: write, run granted whole; the list is: ${list}`]);
  assertEquals(text({ missing: [{ kind: "sys", value: "uid", why: "x" }] }), [
    `1 of its list not granted; the list is: ${list}`,
  ]);
});

Deno.test("renderCheck() never prints a control character, whatever names hold", () => {
  const patterns = ok({
    backups: [],
    runaways: [{
      pattern: "php",
      matches: [{ pid: 1, program: "php \x1b]0;x\x07\u202e", spared: undefined }],
    }],
    undecidedPids: [],
    marker: undefined,
  });
  const web = {
    ...GOOD_HOST.web,
    services: [{ ...FPM_SERVICE, pools: [{ name: "\x1b[2J\n", workerCount: 1 }] }],
  };
  for (const line of renderCheck({ ...GOOD_HOST, patterns, web })) {
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x00-\x1f\x7f-\x9f\u202e]/.test(line), false, line);
  }
});
