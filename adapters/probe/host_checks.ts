/**
 * All checks of the host, looked at together.
 *
 * Each has its own deadline and is on its own: a database that hangs, a disk that does not answer or a systemd
 * that takes its time makes one check unknown, and holds up no other one.
 */

import type { CheckResult, HostCheck } from "../../mod/probe/check.ts";
import { judgeFpmDead, judgeFpmExhausted } from "../../mod/probe/checks/fpm.ts";
import type { ProbeThresholds } from "../../mod/probe/thresholds.ts";
import type { ProcessTable } from "../../mod/processes/process.ts";
import type { Reading } from "../../mod/reading.ts";
import type { ProcessReader } from "../process_reader.ts";
import { createDatabaseChecks, type DatabaseTarget } from "./database_look.ts";
import { createFpmPages } from "./fpm_pages.ts";
import { createFpmPools, type PoolSight } from "./fpm_pools.ts";
import { inTime } from "./in_time.ts";
import {
  createOverflowLook,
  lookAtConntrack,
  lookAtSwap,
  lookAtSystemFiles,
  lookAtTcpMemory,
  lookAtTcpOrphans,
} from "./kernel_checks.ts";
import { createOwnWeb, fpmOrphanCount, type OwnWeb, type OwnWebPorts } from "./own_web.ts";
import { DATABASE_NAMES, lookAtNginx, lookAtProcessFiles, lookAtRunaways } from "./process_checks.ts";
import { type AccessLog, createErrorLook } from "./server_errors.ts";

/** What looking takes. */
export interface HostCheckPorts extends OwnWebPorts {
  readonly processes: ProcessReader;
}

/** What is looked at, and from where on it is bad. */
export interface HostCheckSettings {
  readonly thresholds: ProbeThresholds;
  /** Exact names of processes: those that CRIT would end. */
  readonly runawayNames: readonly string[];
  readonly accessLog: AccessLog;
  /** Undefined is whatever has a socket where packages put it. */
  readonly databases: readonly DatabaseTarget[] | undefined;
}

/** Looks at the host. */
export interface HostChecks {
  /**
   * Looks at these checks now; takes two seconds at most, and some milliseconds mostly.
   *
   * @param seen Told of each as soon as it is known: one that hangs keeps nobody from the others
   * @returns A result of each that is wanted. Never rejects
   */
  readonly look: (
    wanted: readonly HostCheck[],
    seen?: (name: HostCheck, result: CheckResult) => void,
  ) => Promise<ReadonlyMap<HostCheck, CheckResult>>;
  /** Hangs up whatever is still asked, so that the program can end by itself. */
  readonly close: () => void;
}

/** Longest that one check is waited for: with a tick of five seconds, the probe of a site has its time too. */
const CHECK_DEADLINE_MS = 2_000;

/** What checks of one look share: each is read once, when the first one wants it. */
interface Moment {
  readonly table: () => Promise<Reading<ProcessTable>>;
  readonly web: () => Promise<Reading<OwnWeb>>;
  readonly pools: () => Promise<Reading<readonly PoolSight[]>>;
}

/** Makes the checks. They remember from look to look, so one set is meant to live as long as the agent. */
export function createHostChecks(ports: HostCheckPorts, settings: HostCheckSettings): HostChecks {
  const { source, clock, processes } = ports;
  const { thresholds, runawayNames, accessLog, databases } = settings;
  const ownWeb = createOwnWeb(ports);
  const fpmPools = createFpmPools(ports);
  const fpmPages = createFpmPages(source);
  const database = createDatabaseChecks(databases, clock);
  const lookAtErrors = createErrorLook(accessLog, clock, thresholds.serverErrorsPercent);
  const lookAtOverflows = createOverflowLook(source, clock, thresholds);

  const looks: Readonly<Record<HostCheck, (moment: Moment) => CheckResult | Promise<CheckResult>>> = {
    "nginx": async ({ web }) => lookAtNginx(await web()),
    "fpm-dead": async ({ pools, web }) => judgeFpmDead(await pools(), fpmOrphanCount(await web())),
    "fpm-exhausted": async ({ pools }) => judgeFpmExhausted(await fpmPages.look(await pools())),
    "swap": () => lookAtSwap(source),
    "system-files": () => lookAtSystemFiles(source, thresholds),
    "process-files": async ({ table, web }) =>
      lookAtProcessFiles(source, await table(), await web(), thresholds.processFilesPercent),
    "tcp-memory": () => lookAtTcpMemory(source),
    "tcp-orphans": () => lookAtTcpOrphans(source, thresholds),
    "listen-overflows": lookAtOverflows,
    "conntrack": () => lookAtConntrack(source, thresholds),
    "runaways": async ({ table }) => lookAtRunaways(source, await table(), runawayNames),
    "server-errors": lookAtErrors,
    "database": database.look,
  };
  const guarded = Object.fromEntries(
    Object.entries(looks).map(([name, look]) => [name, inTime(look, CHECK_DEADLINE_MS)]),
  ) as Readonly<Record<HostCheck, (moment: Moment) => Promise<CheckResult>>>;

  function newMoment(wanted: readonly HostCheck[]): Moment {
    const table = once(() =>
      processes.read({
        backups: { engines: [], orchestrators: [] },
        runaways: wanted.includes("runaways") ? runawayNames : [],
        webTier: true,
        others: wanted.includes("process-files") ? DATABASE_NAMES : [],
      }, "candidates")
    );
    const web = once(async () => await ownWeb(await table()));
    const pools = once(async () => await fpmPools(await web()));
    return { table, web, pools };
  }

  return {
    async look(
      wanted: readonly HostCheck[],
      seen: (name: HostCheck, result: CheckResult) => void = () => {},
    ): Promise<ReadonlyMap<HostCheck, CheckResult>> {
      const moment = newMoment(wanted);
      const results = await Promise.all(wanted.map(async (name) => {
        const result = await guarded[name](moment);
        seen(name, result);
        return [name, result] as const;
      }));
      return new Map(results);
    },
    close(): void {
      fpmPages.close();
      database.close();
    },
  };
}

/** What is read once, however many want it. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => reading ??= read();
}
