/** The checks that the process table decides: nginx, jobs that pile up, open files of each server. */

import { messageOf } from "../../mod/errors.ts";
import { type CheckResult, unknown } from "../../mod/probe/check.ts";
import { judgeProcessFiles, type ProcessFiles } from "../../mod/probe/checks/files.ts";
import { judgeNginx } from "../../mod/probe/checks/nginx.ts";
import { judgeRunaways } from "../../mod/probe/checks/runaways.ts";
import type { Levels } from "../../mod/probe/thresholds.ts";
import { parsePidLimits } from "../../mod/proc/pid_limits.ts";
import { parseUptime } from "../../mod/proc/uptime.ts";
import type { ProcessInfo, ProcessTable } from "../../mod/processes/process.ts";
import { findRunaways } from "../../mod/processes/runaways.ts";
import { isNginxName } from "../../mod/processes/web_tier.ts";
import { failed, mapReading, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import type { Source } from "../source.ts";
import { NO_PROC_ROOT, readFigure } from "./figures.ts";
import type { OwnWeb } from "./own_web.ts";

/** Names of databases, whose open files count as those of the web servers do. */
export const DATABASE_NAMES: readonly string[] = ["mariadbd", "mysqld", "postgres"];

/** The kernel counts the start of processes in ticks of 1/100 s. */
const TICK_MS = 10;

/** nginx, as far as it has been seen to run on this host. Never throws. */
export function lookAtNginx(web: Reading<OwnWeb>): CheckResult {
  const value = maybeValue(web);
  const isKnown = value === undefined || value.services.some(({ ref }) => ref.kind === "nginx") ||
    value.tier.orphans.some(({ comm }) => isNginxName(comm));
  if (!isKnown) return unknown("no nginx of this host has run since loadweir looks");
  return judgeNginx(mapReading(web, ({ tier }) => tier));
}

/** Processes with one of these names; those of containers are their own affair. Never throws. */
export function lookAtRunaways(
  source: Source,
  table: Reading<ProcessTable>,
  names: readonly string[],
): CheckResult {
  const uptimeMs = maybeValue(readFigure(source, "uptime", parseUptime));
  return judgeRunaways(
    mapReading(
      table,
      ({ processes }) =>
        findRunaways(processes, names).filter(isOurs).map(({ startTicks }) =>
          startTicks === undefined || uptimeMs === undefined ? undefined : uptimeMs - TICK_MS * startTicks
        ),
    ),
  );
}

/** Open files of all that serves here, databases included. Never throws. */
export function lookAtProcessFiles(
  source: Source,
  table: Reading<ProcessTable>,
  web: Reading<OwnWeb>,
  levels: Levels,
): CheckResult {
  if (source.kind !== "proc-root") return judgeProcessFiles(NO_PROC_ROOT, levels);
  if (table.kind !== "ok") return judgeProcessFiles(table, levels);
  return judgeProcessFiles(
    mapReading(web, ({ tier }) =>
      serversOf(tier, table.value.processes).flatMap(({ name, pid }) => {
        const files = maybeFiles(source, pid, name);
        return files === undefined ? [] : [files];
      })),
    levels,
  );
}

/** A process that serves, as people call it. */
interface Server {
  readonly name: string;
  readonly pid: number;
}

function serversOf(
  { nginx, fpm, orphans }: OwnWeb["tier"],
  processes: readonly ProcessInfo[],
): readonly Server[] {
  const named = (what: string, found: readonly ProcessInfo[]): readonly Server[] =>
    found.map(({ pid }) => ({ name: `${what} ${pid}`, pid }));
  return [
    ...nginx.flatMap(({ master, workers, shuttingDown }) => [
      ...named("nginx master", [master]),
      ...named("nginx worker", [...workers, ...shuttingDown]),
    ]),
    ...fpm.flatMap(({ master, pools }) => [
      ...named("php-fpm master", [master]),
      ...pools.flatMap((pool) => named(`php-fpm worker of pool ${pool.name}`, pool.workers)),
    ]),
    ...named("worker without a master", orphans),
    ...DATABASE_NAMES.flatMap((name) =>
      named(name, processes.filter((process) => process.comm === name && isOurs(process)))
    ),
  ];
}

/** The open files of a process; undefined for one that has ended meanwhile. */
function maybeFiles(
  source: Source & { readonly kind: "proc-root" },
  pid: number,
  name: string,
): Reading<ProcessFiles> | undefined {
  const limits = readFigure(source, `${pid}/limits`, parsePidLimits);
  if (limits.kind === "absent") return undefined;
  if (limits.kind === "failed") return limits;
  try {
    const openCount = openFileCount(`${source.root}/${pid}/fd`);
    return ok({ name, openCount, limits: limits.value });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    return failed(`Cannot count the open files of ${name}: ${messageOf(error)}`);
  }
}

/**
 * Since Linux 6.2 the size of the folder is the count, which root can see also without the capability to trace
 * others. Before, it is 0, and the folder must be listed.
 *
 * @throws What Deno throws for a folder that is gone or may not be listed
 */
function openFileCount(folder: string): number {
  const { size } = Deno.statSync(folder);
  return size > 0 ? size : [...Deno.readDirSync(folder)].length;
}

function isOurs({ namespaceDepth }: ProcessInfo): boolean {
  return (namespaceDepth ?? 1) === 1;
}
