import { assertEquals } from "@std/assert";
import { renderCheck } from "../../mod/report/check_report.ts";
import type { Clock } from "../clock.ts";
import { readConfigInEffect } from "../config_in_effect.ts";
import { createProcessReader } from "../process_reader.ts";
import { createSampler } from "../sampler.ts";
import type { Source } from "../source.ts";
import { checkHost } from "./host_check.ts";
import { answering, makeTempHost } from "./temp_host.ts";

/** A recorded web host with two CPUs. */
const ROOT = new URL("../../fixtures/proc/6.1_quiet_web_host", import.meta.url).pathname;

/** No time passes. */
const CLOCK: Clock = { monotonicMs: () => 0, wallMs: () => 0, sleep: () => Promise.resolve() };

Deno.test("checkHost() looks at a recorded host from end to end", async () => {
  await using host = await makeTempHost({
    "/etc/loadweir.ini": "[ladder]\nmax = 7\n[runaways]\nnames = php, cron\n",
    "/etc/nginx/own.conf": "include /etc/nginx/loadweir/nginx_high_load.c*;",
    "/etc/nginx/loadweir/nginx_high_load_off.conf": "",
    "/usr/sbin/nginx": "",
  });
  const loaded = await readConfigInEffect({
    configPath: `${host.root}/etc/loadweir.ini`,
    barracudaPath: `${host.root}/none`,
    asRoot: false,
  });
  const source: Source = { kind: "proc-root", root: ROOT, name: "procfs-flag" };
  const run = answering({ "/usr/sbin/nginx -v": { stderr: "nginx version: nginx/1.22.1\n" } });
  const processes = createProcessReader(source, run);
  const backups = {
    patterns: { engines: loaded.config.backupEngines, orchestrators: loaded.config.backupOrchestrators },
    markerPath: undefined,
  };
  const findings = await checkHost({
    version: "0.1.0",
    configPath: "/etc/loadweir.ini",
    loaded,
    choice: { source, notes: [] },
    sampler: createSampler(source, { clock: CLOCK, run, processes, backups }),
    processes,
    files: host.files,
    run,
    clock: CLOCK,
  });
  processes.close();
  assertEquals(findings.config.read, [`${host.root}/etc/loadweir.ini`]);
  assertEquals(findings.host.isRoot, Deno.uid() === 0);
  assertEquals(findings.sensors.container, { kind: undefined, hostLoad: undefined });
  const lines = renderCheck(findings);
  assertEquals(
    ["load  ", "web tier", "runaways"].map((label) => lines.findIndex((line) => line.startsWith(label)))
      .flatMap((index) => lines.slice(index, index + 2)).map((line) => line.slice(10)),
    [
      "1m 0.42 = 21.0 %   5m 0.31 = 15.5 %   NORMAL now",
      `load, CPUs, iowait, processes, PSI cpu, PSI io from ${ROOT} (--procfs)`,
      "nginx 1.22.1: no service manager, running (master 812, 2 workers)",
      "php-fpm: no service manager, running (master 831, pool www: 3 workers), " +
      "version unknown: its program is not known",
      "php, cron: 2 processes now",
      "  php: pid 4120 php artisan (spared: namespace-unknown)",
    ],
  );
  assertEquals(lines.some((line) => line.includes("MAX > 700 % = load 14 on 2 CPUs")), true);
});
