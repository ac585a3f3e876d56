/**
 * The web tier that is this host's own, at each look, and what of it should run.
 *
 * Should run is what was seen to run since the agent started, until its unit is disabled or masked, or its
 * program or script is gone. What never ran is not missed: a host may have an nginx installed and serve by
 * another server. Whose the processes are is told by units and scripts, which are asked for seldom.
 */

import type { OwnService } from "../../mod/hold/own_services.ts";
import type { ProcessInfo, ProcessTable } from "../../mod/processes/process.ts";
import { findWebTier, isNginxName, type WebTier } from "../../mod/processes/web_tier.ts";
import { maybeValue, ok, type Reading } from "../../mod/reading.ts";
import type { WebMaster } from "../../mod/services/ownership.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import { deadlineOf } from "../deadline.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Source } from "../source.ts";
import { findServiceFiles, type ServiceFiles } from "../web/service_files.ts";
import { sortServices } from "../web/web_look.ts";
import { readMasters } from "../web/web_masters.ts";
import { installedPrograms } from "../web/web_signs.ts";

/** What looking takes. */
export interface OwnWebPorts {
  readonly run: RunCommand;
  readonly source: Source;
  readonly host: HostFiles;
  readonly clock: Clock;
}

/** The web of this host, without what runs in containers and without second instances. */
export interface OwnWeb {
  /** Workers that may be anybody's stand under `unclear`. */
  readonly tier: WebTier;
  /** Those that run, and those that should: these have no masters. */
  readonly services: readonly OwnService[];
}

/** Units and scripts change when somebody works on the host. They are asked for when a master comes or goes. */
const FILES_MIN_MS = 10_000;

/** systemd may take seconds to answer; what it said before is good enough until it does. */
const FILES_DEADLINE_MS = 1_000;

/** How systemd has a unit that nobody wants to run. */
const UNWANTED_STATES: readonly string[] = ["disabled", "masked", "masked-runtime", "not-found"];

/** What tells a host's services, as it was asked for last. */
interface Installed extends ServiceFiles {
  readonly programs: readonly string[];
}

/**
 * Makes the look.
 *
 * @returns Sorts the processes of a table that holds the web tier. Never rejects
 */
export function createOwnWeb(
  ports: OwnWebPorts,
): (table: Reading<ProcessTable>) => Promise<Reading<OwnWeb>> {
  const { clock, host, run } = ports;
  const seen = new Map<string, OwnService>();
  let masters: readonly WebMaster[] = [];
  let mastersKey: string | undefined;
  let installed: Installed | undefined;
  let askedMs = -Infinity;
  let asking: Promise<void> | undefined;

  async function askForFiles(): Promise<void> {
    askedMs = clock.monotonicMs();
    const found = await findServiceFiles(host, run);
    // Of units without their states nothing can be told; what was known before is better.
    if (found.problem === undefined || installed === undefined) {
      installed = { ...found, programs: installedPrograms(host) };
    }
  }

  async function keepFilesFresh(hasChanged: boolean): Promise<void> {
    if (hasChanged && clock.monotonicMs() - askedMs >= FILES_MIN_MS) {
      asking ??= askForFiles().finally(() => asking = undefined);
    }
    if (asking !== undefined) {
      await (installed === undefined ? asking : deadlineOf(FILES_DEADLINE_MS, asking));
    }
  }

  async function sort(processes: readonly ProcessInfo[]): Promise<OwnWeb> {
    const tier = findWebTier(processes);
    const key = [...tier.nginx, ...tier.fpm].map(({ master }) => keyOf(master)).join(" ");
    const hasMissing = [...seen.values()].some(({ masters }) => !masters.every(isIn(tier)));
    await keepFilesFresh(key !== mastersKey || hasMissing);
    if (key !== mastersKey) {
      masters = readMasters(tier, ports);
      mastersKey = key;
    }
    const { own } = sortServices(tier, {
      manager: installed?.manager ?? "none",
      files: installed?.files ?? [],
      programs: installed?.programs ?? [],
      masters,
    }, ports);
    for (const service of own.services) if (service.masters.length > 0) seen.set(nameOf(service), service);
    const missing = [...seen].flatMap(([name, before]) => {
      const now = own.services.find((service) => nameOf(service) === name);
      if (now !== undefined && now.masters.length > 0) return [];
      if (isWanted(now, before)) {
        return [{ ...before, masters: [], workers: [], orphans: now?.orphans ?? [] }];
      }
      seen.delete(name);
      return [];
    });
    const missingNames = missing.map(nameOf);
    const services = [
      ...own.services.filter((service) => isSeenNow(service) && !missingNames.includes(nameOf(service))),
      ...missing,
    ];
    return { tier: ownTier(tier, services, own.unsure), services };
  }

  /** Whether a service that does not run is missed. */
  function isWanted(now: OwnService | undefined, before: OwnService): boolean {
    const { program } = before.ref;
    if (program !== undefined && !host.exists(program)) return false;
    if (before.file === undefined) return true;
    // A file that is gone leaves no service of that name.
    return now?.file !== undefined && !UNWANTED_STATES.includes(now.file.state?.fileState ?? "") &&
      !UNWANTED_STATES.includes(now.file.state?.loadState ?? "");
  }

  return async (table) => table.kind === "ok" ? ok(await sort(table.value.processes)) : table;
}

/** The tier with the masters of these services, and their workers alone. */
function ownTier(tier: WebTier, services: readonly OwnService[], unsure: readonly ProcessInfo[]): WebTier {
  const pids = new Set(services.flatMap(({ masters }) => masters.map(({ pid }) => pid)));
  return {
    nginx: tier.nginx.filter(({ master }) => pids.has(master.pid)),
    fpm: tier.fpm.filter(({ master }) => pids.has(master.pid)),
    orphans: services.flatMap(({ orphans }) => orphans),
    unclear: [...tier.unclear, ...unsure].filter(({ namespaceDepth }) => (namespaceDepth ?? 1) === 1),
  };
}

/** Workers of this host's php-fpm whose master is gone; 0 where nothing is known. Never throws. */
export function fpmOrphanCount(web: Reading<OwnWeb>): number {
  return (maybeValue(web)?.tier.orphans ?? []).filter(({ comm }) => !isNginxName(comm)).length;
}

function isSeenNow({ masters, orphans }: OwnService): boolean {
  return masters.length > 0 || orphans.length > 0;
}

function isIn(tier: WebTier): (one: ProcessInfo) => boolean {
  const keys = new Set([...tier.nginx, ...tier.fpm].map(({ master }) => keyOf(master)));
  return (one) => keys.has(keyOf(one));
}

/** A process for as long as the host is up; without its start, as from `ps`, its pid must do. */
function keyOf({ pid, startTicks }: ProcessInfo): string {
  return `${pid}:${startTicks ?? ""}`;
}

function nameOf({ ref }: OwnService): string {
  return `${ref.kind} ${ref.manager} ${ref.name}`;
}
