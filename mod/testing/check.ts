/** Findings of checks, for tests. */

import type { CheckFindings, ConfigFinding, ServiceFinding } from "../check/findings.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { ConfigSources } from "../config/sources.ts";
import { thresholdsOf } from "../config/thresholds.ts";
import { rulesOf } from "../ladder/rules.ts";
import { CRAWLER_BLOCKS } from "../nginx/crawler_block.ts";
import { absent, ok } from "../reading.ts";
import { maybeWebServiceFile } from "../services/service_file.ts";
import type { UnitState } from "../services/systemctl.ts";

/** A unit that is loaded and runs. */
export function aUnitState(id: string, rest: Partial<UnitState> = {}): UnitState {
  return {
    id,
    loadState: "loaded",
    activeState: "active",
    fileState: "enabled",
    mainPid: undefined,
    boundBy: [],
    stoppedWith: [],
    ...rest,
  };
}

/** nginx with two workers, run by systemd. */
export const NGINX_SERVICE: ServiceFinding = {
  kind: "nginx",
  file: maybeWebServiceFile({
    name: "nginx.service",
    path: "/lib/systemd/system/nginx.service",
    command: ["/usr/sbin/nginx"],
    state: aUnitState("nginx.service"),
  }),
  program: "/usr/sbin/nginx",
  masters: [{
    kind: "nginx",
    pid: 812,
    ppid: 1,
    program: "/usr/sbin/nginx",
    confPath: undefined,
    unit: ok("nginx.service"),
    inContainer: false,
    uid: 0,
  }],
  version: ok("1.22.1"),
  pools: [],
  workerCount: 2,
};

/** php-fpm with a pool that works and one that waits, run by systemd. */
export const FPM_SERVICE: ServiceFinding = {
  kind: "php-fpm",
  file: maybeWebServiceFile({
    name: "php8.2-fpm.service",
    path: "/lib/systemd/system/php8.2-fpm.service",
    command: ["/usr/sbin/php-fpm8.2", "--fpm-config", "/etc/php/8.2/fpm/php-fpm.conf"],
    state: aUnitState("php8.2-fpm.service"),
  }),
  program: "/usr/sbin/php-fpm8.2",
  masters: [{
    kind: "php-fpm",
    pid: 900,
    ppid: 1,
    program: "/usr/sbin/php-fpm8.2",
    confPath: "/etc/php/8.2/fpm/php-fpm.conf",
    unit: ok("php8.2-fpm.service"),
    inContainer: false,
    uid: 0,
  }],
  version: ok("8.2.32"),
  pools: [{ name: "www", workerCount: 2 }, { name: "idle", workerCount: 0 }],
  workerCount: 2,
};

/** The configuration that these sources come to. */
export function aConfigFinding(sources: ConfigSources, rest: Partial<ConfigFinding> = {}): ConfigFinding {
  const { config, problems, origins, unusable } = resolveConfig(sources);
  return {
    path: "/etc/loadweir/loadweir.ini",
    read: [sources.ini, sources.barracuda].filter((source) => source !== undefined).map(({ source }) =>
      source
    ),
    profile: sources.barracuda === undefined ? "generic" : "boa",
    problems,
    standIn: unusable ? { kind: "spider-only", why: undefined } : undefined,
    origins,
    thresholds: thresholdsOf(config),
    rules: rulesOf(config, unusable),
    ...rest,
  };
}

/** A host with systemd, two CPUs, a bind mount and all else that is wanted. */
export const GOOD_HOST: CheckFindings = {
  version: "0.1.0",
  host: { name: "web-3", kernel: "6.1.0-40-amd64", isRoot: true },
  config: aConfigFinding({ ini: { source: "/etc/loadweir/loadweir.ini", text: "[ladder]\nmax = 7\n" } }),
  sensors: {
    source: "/run/loadweir/proc (bind mount)",
    sourceName: "bind-mount",
    procRoot: "/run/loadweir/proc",
    notes: [],
    sample: {
      monotonicMs: 1_000,
      wallMs: Date.UTC(2026, 10, 29, 19, 31, 5),
      load: ok({ load1Hundredths: 1342, load5Hundredths: 910, cpuCount: 2 }),
      gate: {
        backups: ok([]),
        iowaitPercent: ok(1.5),
        runnableTasks: ok(11),
        psiCpuPercent: ok(64),
        psiIoPercent: ok(0),
      },
    },
    processes: ok(214),
    cpuLimit: undefined,
    container: { kind: undefined, hostLoad: undefined },
  },
  web: {
    manager: "systemd",
    services: [NGINX_SERVICE, FPM_SERVICE],
    foreign: [],
    orphanPids: [],
    unclearPids: [],
    problem: undefined,
  },
  block: {
    paths: CRAWLER_BLOCKS.generic,
    state: "off",
    include: {
      kind: "included",
      places: [{
        path: "/etc/nginx/sites-enabled/default",
        line: 21,
        pattern: "/etc/nginx/loadweir/nginx_high_load.c*",
      }],
    },
  },
  tools: [{ name: "ps", path: "/usr/bin/ps" }, { name: "systemctl", path: "/usr/bin/systemctl" }],
  patterns: ok({
    backups: [{ pattern: "mydumper", matches: [] }, {
      pattern: "duplicity",
      matches: [{ pid: 4427, program: "python3 duplicity", spared: undefined }],
    }],
    runaways: [
      {
        pattern: "php",
        matches: [
          { pid: 4120, program: "php artisan", spared: undefined },
          { pid: 4430, program: "php drush", spared: "descendant-of-backup" },
        ],
      },
      { pattern: "wget", matches: [] },
    ],
    undecidedPids: [],
    marker: { path: "/run/boa_sql_cluster_backup.pid", running: false },
  }),
  sandbox: {
    listed: { read: 93, write: 1, run: 46, net: 0, env: 2, sys: 7 },
    whole: [],
    missing: [],
    compiled: true,
  },
  watched: [],
  shipped: [{
    name: "unit",
    path: "/etc/systemd/system/loadweir.service",
    state: "current",
    isTheirs: false,
    cure: "loadweir print unit >/etc/systemd/system/loadweir.service",
    why: undefined,
  }],
};

/** A host as it comes: no configuration, no proc root, no service manager, nothing running, few tools. */
export const BARE_HOST: CheckFindings = {
  ...GOOD_HOST,
  host: { ...GOOD_HOST.host, isRoot: false },
  config: aConfigFinding({}),
  sensors: {
    ...GOOD_HOST.sensors,
    source: "kernel calls, ps and vmstat (no proc root)",
    sourceName: "kernel-calls",
    procRoot: undefined,
    sample: {
      ...GOOD_HOST.sensors.sample,
      gate: {
        backups: absent("there is no ps"),
        iowaitPercent: absent("there is no vmstat"),
        runnableTasks: absent("there is no vmstat"),
        psiCpuPercent: absent('Cannot read "/proc/pressure/cpu": boot with psi=1'),
        psiIoPercent: absent('Cannot read "/proc/pressure/io": boot with psi=1'),
      },
    },
    processes: absent("there is no ps"),
  },
  web: { ...GOOD_HOST.web, manager: "none", services: [] },
  block: { ...GOOD_HOST.block, state: "absent", include: { kind: "none" } },
  tools: [{ name: "ps", path: undefined }, { name: "systemctl", path: undefined }],
  patterns: absent("there is no ps"),
  shipped: GOOD_HOST.shipped.map((file) => ({ ...file, state: "absent" })),
};
