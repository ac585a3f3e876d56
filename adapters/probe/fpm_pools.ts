/** The pools of this host's php-fpm, and whether each takes connections. */

import type { FpmListen, FpmPoolConf } from "../../mod/fpm_pools.ts";
import type { OwnService } from "../../mod/hold/own_services.ts";
import type { FpmConnection, FpmSocketLook } from "../../mod/probe/checks/fpm.ts";
import { isNginxName } from "../../mod/processes/web_tier.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import type { Source } from "../source.ts";
import { createFpmConfReader, type FpmConf, type FpmConfReader } from "./fpm_conf.ts";
import { type LocalAddress, tryConnection } from "./local_socket.ts";
import type { OwnWeb } from "./own_web.ts";
import { readSocketQueues, type SocketQueues } from "./socket_queues.ts";

/** One pool as it stands. */
export interface PoolSight extends FpmSocketLook {
  /** Undefined where the pools of a service cannot be told; then the connection says why. */
  readonly conf: FpmPoolConf | undefined;
  /** Connections that wait; absent where nobody listens. */
  readonly waitingCount: Reading<number>;
  /** Workers among the processes; failed where some of php-fpm cannot be told apart. */
  readonly workerCount: Reading<number>;
}

/** What looking takes. */
export interface FpmPoolsPorts {
  readonly run: RunCommand;
  readonly clock: Clock;
  readonly source: Source;
}

/** What is remembered of one service. */
interface Remembered {
  readonly reader: FpmConfReader;
  /** When each pool last took connections; monotonic. */
  readonly takenMs: Map<string, number>;
}

const CONNECT_DEADLINE_MS = 1_000;

/** Makes the look, which remembers the pools between two looks. It never rejects. */
export function createFpmPools(
  ports: FpmPoolsPorts,
): (web: Reading<OwnWeb>) => Promise<Reading<readonly PoolSight[]>> {
  const services = new Map<string, Remembered>();

  async function sightsOf(
    service: OwnService,
    { fpm, orphans, unclear }: OwnWeb["tier"],
    queues: SocketQueues,
  ): Promise<readonly PoolSight[]> {
    const { name } = service.ref;
    const remembered = services.get(name) ??
      { reader: createFpmConfReader(ports.run, ports.clock), takenMs: new Map<string, number>() };
    services.set(name, remembered);
    const { reader, takenMs } = remembered;
    const isClear = [...orphans, ...unclear].every(({ comm }) => isNginxName(comm));
    const running = fpm.filter(({ master }) => service.masters.some(({ pid }) => pid === master.pid))
      .flatMap(({ pools }) => pools);

    async function sightOf(conf: FpmPoolConf): Promise<PoolSight> {
      const waitingCount = queues.waitingAt(conf.listen);
      const connection = await connectionOf(conf.listen, waitingCount);
      if (isListening(connection)) takenMs.set(conf.name, ports.clock.monotonicMs());
      const found = running.find((pool) => pool.name === conf.name)?.workers.length ?? 0;
      const workerCount = isClear ? ok(found) : failed("not every process of php-fpm is known");
      return { name: conf.name, conf, waitingCount, connection, workerCount };
    }

    async function allOf({ pools }: FpmConf): Promise<readonly PoolSight[]> {
      return pools.kind === "ok" ? await Promise.all(pools.value.map(sightOf)) : [unknownPool(name, pools)];
    }

    const known = await reader.read(service, false);
    const sights = await allOf(known);
    const isUnknown = running.some((pool) => !sights.some((sight) => sight.name === pool.name));
    const isSilent = sights.some(({ connection, name }) =>
      !isListening(connection) && !isConfirmed(known, takenMs.get(name))
    );
    if (!isUnknown && !isSilent) return sights;
    const again = await reader.read(service, true);
    const confirmed = again === known ? sights : await allOf(again);
    return confirmed.map((sight) => unlessOld(sight, isConfirmed(again, takenMs.get(sight.name))));
  }

  return async (web) => {
    if (web.kind !== "ok") return web;
    const { tier, services: own } = web.value;
    const ours = own.filter(({ ref }) => ref.kind === "php-fpm");
    const names = ours.map(({ ref }) => ref.name);
    for (const name of services.keys()) if (!names.includes(name)) services.delete(name);
    const queues = readSocketQueues(ports.source);
    return ok((await Promise.all(ours.map((service) => sightsOf(service, tier, queues)))).flat());
  };
}

/** A pool that somebody has removed since takes no connections either: what is old accuses nobody. */
function unlessOld(sight: PoolSight, isConfirmed: boolean): PoolSight {
  const { connection, name } = sight;
  if (isConfirmed || connection.kind !== "ok" || isListening(connection)) return sight;
  return {
    ...sight,
    connection: failed(`pool ${name}: its socket is ${connection.value}, and it may be gone`),
  };
}

/** Whether a pool was asked for since it was last seen to take connections. */
function isConfirmed({ askedMs }: FpmConf, takenMs: number | undefined): boolean {
  return takenMs === undefined || askedMs >= takenMs;
}

function isListening(connection: Reading<FpmConnection>): boolean {
  return connection.kind === "ok" && (connection.value === "taken" || connection.value === "full");
}

function unknownPool(name: string, why: Exclude<Reading<never>, { readonly kind: "ok" }>): PoolSight {
  return { name, conf: undefined, waitingCount: why, connection: why, workerCount: why };
}

/**
 * Whether a socket takes connections. Where the kernel has somebody listening there, nobody is bothered to show
 * it; a connection is tried only where nobody does, to tell a closed socket from a missing one.
 */
async function connectionOf(listen: FpmListen, waiting: Reading<number>): Promise<Reading<FpmConnection>> {
  if (waiting.kind === "failed") return waiting;
  if (waiting.kind === "ok") return ok(listen.kind === "unix" && isGone(listen.path) ? "missing" : "taken");
  const address = maybeAddress(listen);
  if (address === undefined) return waiting;
  const tried = await tryConnection(address, CONNECT_DEADLINE_MS);
  switch (tried.kind) {
    case "answered":
      return ok("taken");
    case "refused":
    case "missing":
    case "full":
      return ok(tried.kind);
    case "timed-out":
      return failed(`no connection within ${CONNECT_DEADLINE_MS} ms`);
    case "failed":
      return failed(tried.error);
  }
}

/** Whether a socket has no name any more: whoever listens there cannot be reached. Unknown is no. */
function isGone(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** Where a pool is reached from this host; undefined where that is not clear. Never throws. */
export function maybeAddress(listen: FpmListen): LocalAddress | undefined {
  switch (listen.kind) {
    case "unix":
      return listen;
    case "tcp":
      return { kind: "tcp", host: LOOPBACK.get(listen.host ?? "") ?? listen.host ?? "", port: listen.port };
    case "unclear":
      return undefined;
  }
}

/** Hosts that are reached at a loopback address; a name is not looked up, which may hang. */
const LOOPBACK: ReadonlyMap<string, string> = new Map([
  ["", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["localhost", "127.0.0.1"],
  ["::", "::1"],
]);
