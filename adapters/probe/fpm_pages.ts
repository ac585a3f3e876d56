/** The status page of each pool, by a FastCGI request over a socket of php-fpm: no web server has part in it. */

import { type CgiResponse, parseCgiResponse } from "../../mod/fastcgi/cgi_response.ts";
import { NOTHING_RECEIVED, receive, type Receiving, replyOf } from "../../mod/fastcgi/reply.ts";
import { encodeRequest } from "../../mod/fastcgi/request.ts";
import { ParseError, quote } from "../../mod/errors.ts";
import type { FpmPoolConf } from "../../mod/fpm_pools.ts";
import { type FpmStatus, fpmStatusParams, parseFpmStatus } from "../../mod/fpm_status.ts";
import type { FpmPage, FpmPoolLook } from "../../mod/probe/checks/fpm.ts";
import { parseSysCount } from "../../mod/proc/sys_count.ts";
import { mapReading, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import type { Source } from "../source.ts";
import { readFigure } from "./figures.ts";
import { maybeAddress, type PoolSight } from "./fpm_pools.ts";
import { addressText, type Asked, type Asker, createAsker, type Question } from "./local_socket.ts";

/** Looks at the pages. */
export interface FpmPages {
  /** Each pool with its page. Never rejects. */
  readonly look: (pools: Reading<readonly PoolSight[]>) => Promise<Reading<readonly FpmPoolLook[]>>;
  /** Hangs up. */
  readonly close: () => void;
}

/** php-fpm makes the page in a millisecond, once a worker is free. */
const PAGE_DEADLINE_MS = 1_000;

/**
 * Makes the look. Only a pool that has all the workers it may have is asked. A page that does not come stays
 * asked for, so that a pool never has two questions of ours.
 */
export function createFpmPages(source: Source): FpmPages {
  const askers = new Map<string, Asker<FpmStatus>>();

  /** A pool with its page, and the key of its asker: while that is told, a question that waits is kept. */
  async function lookAt(sight: PoolSight): Promise<readonly [string | undefined, FpmPoolLook]> {
    const { conf, name, workerCount } = sight;
    if (conf === undefined) return [undefined, unknownPool(sight)];
    const { statusPath, statusListen, maxChildrenCount } = conf;
    const backlogCount = maybeBacklog(conf, source);
    const found = { name, maxChildrenCount, workerCount, backlogCount };
    const without = (why: string): FpmPoolLook => ({
      ...found,
      waitingCount: sight.waitingCount,
      page: { kind: "none", why },
    });
    const address = maybeAddress(statusListen ?? conf.listen);
    const key = address === undefined ? undefined : `${addressText(address)} ${statusPath ?? ""}`;
    if (workerCount.kind === "ok" && workerCount.value < maxChildrenCount) {
      return [key, { ...found, waitingCount: sight.waitingCount, page: { kind: "spared" } }];
    }
    if (statusPath === undefined) return [key, without("has no pm.status_path, so it cannot be asked")];
    if (sight.waitingCount.kind !== "ok") return [key, without("nobody listens")];
    if (address === undefined || key === undefined) {
      return [undefined, without("it is not clear where its page is")];
    }
    const asker = askers.get(key) ??
      createAsker(address, () => questionFor(statusPath, addressText(address)));
    askers.set(key, asker);
    // Of those that wait at the pool's own socket, one may be our question of before.
    const ours = statusListen === undefined && asker.isWaiting() ? 1 : 0;
    const waitingCount = mapReading(sight.waitingCount, (count) => Math.max(0, count - ours));
    const page = pageOf(await asker.ask(PAGE_DEADLINE_MS), statusListen === undefined);
    return [key, { ...found, waitingCount, page }];
  }

  function forget(isKept: (key: string) => boolean): void {
    for (const [key, asker] of askers) {
      if (isKept(key)) continue;
      asker.close();
      askers.delete(key);
    }
  }

  return {
    async look(pools: Reading<readonly PoolSight[]>): Promise<Reading<readonly FpmPoolLook[]>> {
      if (pools.kind !== "ok") return pools;
      const looked = await Promise.all(pools.value.map(lookAt));
      const keys = looked.map(([key]) => key);
      forget((key) => keys.includes(key));
      return ok(looked.map(([, look]) => look));
    },
    close: () => forget(() => false),
  };
}

function pageOf(asked: Asked<FpmStatus>, isOwnSocket: boolean): FpmPage {
  switch (asked.kind) {
    case "answered":
      return { kind: "shown", activeCount: asked.value.activeCount, isOwnSocket };
    // A queue without a place answers no more than one in which we wait.
    case "full":
    case "timed-out":
      return { kind: "timed-out" };
    case "refused":
      return { kind: "none", why: "nobody listens where its page is" };
    case "missing":
      return { kind: "none", why: "the socket of its page does not exist" };
    case "failed":
      return { kind: "none", why: asked.error };
  }
}

/** What stands for the pools of a service that could not be told. */
function unknownPool({ name, waitingCount, workerCount }: PoolSight): FpmPoolLook {
  const page = { kind: "none", why: "its pools are not known" } as const;
  return {
    name,
    maxChildrenCount: 1,
    workerCount,
    waitingCount,
    backlogCount: undefined,
    page,
  };
}

/** How many may wait: as many as the pool asks for, but no more than the kernel lets it. */
function maybeBacklog({ backlogCount }: FpmPoolConf, source: Source): number | undefined {
  const limit = maybeValue(readFigure(source, "sys/net/core/somaxconn", parseSysCount));
  return limit === undefined ? backlogCount : Math.min(backlogCount ?? limit, limit);
}

function questionFor(path: string, source: string): Question<FpmStatus> {
  let received: Receiving = NOTHING_RECEIVED;
  return {
    request: encodeRequest(fpmStatusParams(path)),
    take(chunk): FpmStatus | undefined {
      if (chunk !== undefined) received = receive(received, chunk, source);
      if (chunk !== undefined && received.end === undefined) return undefined;
      return statusOf(parseCgiResponse(replyOf(received, source).stdout, source), path, source);
    },
  };
}

/** @throws {ParseError} If it is another answer than the page */
function statusOf({ status, body }: CgiResponse, path: string, source: string): FpmStatus {
  if (status !== 200) throw new ParseError(source, `answers ${status} for ${quote(path)}, expected its page`);
  return parseFpmStatus(new TextDecoder().decode(body), source);
}
