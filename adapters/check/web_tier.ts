/** Looks at the web tier: programs with their versions, units, masters, pools. */

import { messageOf } from "../../mod/errors.ts";
import type { WebTierFinding } from "../../mod/check/findings.ts";
import { permittedValues } from "../../mod/permissions.ts";
import type { ProcessTable } from "../../mod/processes/process.ts";
import { findWebTier, type WebTier } from "../../mod/processes/web_tier.ts";
import { absent, failed, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import { parseVersion } from "../../mod/services/web_program.ts";
import { findWebServices, type WebService } from "../../mod/services/web_services.ts";
import type { RunCommand } from "../command.ts";
import type { Source } from "../source.ts";
import { readWebSigns } from "../web/web_signs.ts";
import { configuredPools } from "./fpm_pools.ts";
import type { HostFiles } from "./host_files.ts";

/** A php-fpm loads all its extensions before it tells its version. */
const VERSION_DEADLINE_MS = 5_000;

/** What the look takes. */
export interface WebTierPorts {
  readonly host: HostFiles;
  readonly run: RunCommand;
  readonly source: Source;
}

/** Looks at all that serves the web, or could. Never throws. */
export async function lookAtWebTier(
  table: Reading<ProcessTable>,
  ports: WebTierPorts,
): Promise<WebTierFinding> {
  const { host, run } = ports;
  const tier = findWebTier(maybeValue(table)?.processes ?? []);
  const { signs, problem } = await readWebSigns(tier, ports);
  const { manager, programs } = signs;
  const found = findWebServices(signs);
  const services = await Promise.all(found.services.map(async (service) => ({
    ...service,
    version: await readVersion(service, programs, run),
    pools: poolsOf(service, tier, host),
    workerCount: workerCount(service, tier),
  })));
  return {
    manager,
    services,
    foreign: found.foreign,
    orphanPids: tier.orphans.map(({ pid }) => pid),
    unclearPids: tier.unclear.map(({ pid }) => pid),
    problem,
  };
}

async function readVersion(
  { kind, program }: WebService,
  programs: readonly string[],
  run: RunCommand,
): Promise<Reading<string>> {
  if (program === undefined) return absent("its program is not known");
  if (!permittedValues("run").includes(program)) {
    return absent(`${program} is not among the programs that this binary may run`);
  }
  if (!programs.includes(program)) return absent(`there is no ${program}`);
  const { code, stdout, stderr, timedOut } = await run(program, ["-v"], { deadlineMs: VERSION_DEADLINE_MS });
  if (timedOut) return failed(`"${program} -v" gave no answer within ${VERSION_DEADLINE_MS} ms`);
  if (code !== 0) return failed(`"${program} -v" exited ${code}: ${stderr.trim()}`);
  try {
    return ok(parseVersion(kind, `${stdout}\n${stderr}`, `${program} -v`));
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** The pools of a php-fpm: those that have workers now, then those that are configured and have none. */
function poolsOf(
  { kind, file, masters }: WebService,
  { fpm }: WebTier,
  host: HostFiles,
): WebTierFinding["services"][number]["pools"] {
  if (kind !== "php-fpm") return [];
  const pids = masters.map(({ pid }) => pid);
  const running = fpm.filter(({ master }) => pids.includes(master.pid)).flatMap(({ pools }) => pools)
    .map(({ name, workers }) => ({ name, workerCount: workers.length }));
  const confPath = masters[0]?.confPath ?? file?.confPath;
  const names = confPath === undefined ? [] : configuredPools(confPath, host);
  const idle = names.filter((name) => !running.some((pool) => pool.name === name));
  return [...running, ...idle.map((name) => ({ name, workerCount: 0 }))];
}

function workerCount({ masters }: WebService, { nginx, fpm }: WebTier): number {
  const pids = masters.map(({ pid }) => pid);
  const own = [
    ...nginx.map(({ master, workers }) => ({ master, count: workers.length })),
    ...fpm.map(({ master, pools }) => ({
      master,
      count: pools.reduce((sum, { workers }) => sum + workers.length, 0),
    })),
  ];
  return own.filter(({ master }) => pids.includes(master.pid)).reduce((sum, { count }) => sum + count, 0);
}
