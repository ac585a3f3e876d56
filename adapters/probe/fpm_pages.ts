/** The status page of each pool, by a FastCGI request over a socket of php-fpm: no web server has part in it. */

import { type CgiResponse, parseCgiResponse } from "../../mod/fastcgi/cgi_response.ts";
import { NOTHING_RECEIVED, receive, type Receiving, replyOf } from "../../mod/fastcgi/reply.ts";
import { encodeRequest } from "../../mod/fastcgi/request.ts";
import { ParseError, quote } from "../../mod/errors.ts";
import type { FpmListen, FpmPoolConf } from "../../mod/fpm_pools.ts";
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

/** How long pages are waited for. */
export interface PageDeadlines {
  /** php-fpm makes the page in a millisecond, once a worker is free. */
  readonly ownMs: number;
  /** The worker of a socket that is for the page alone is always free, unless somebody keeps it. */
  readonly apartMs: number;
}

const DEADLINES: PageDeadlines = { ownMs: 1_000, apartMs: 500 };

/**
 * Makes the look. Only a pool that has all the workers it may have is asked. A page that does not come stays
 * asked for, so that a pool never has two questions of ours.
 */
export function createFpmPages(source: Source, deadlines = DEADLINES): FpmPages {
  const askers = new Map<string, Asker<FpmStatus>>();

  function askerAt(listen: FpmListen, path: string): KeyedAsker | undefined {
    const address = maybeAddress(listen);
    if (address === undefined) return undefined;
    const key = `${addressText(address)} ${path}`;
    const asker = askers.get(key) ?? createAsker(address, () => questionFor(path, addressText(address)));
    askers.set(key, asker);
    return { key, asker };
  }

  /** A pool with its page, and the keys of its askers: while they are told, a question that waits is kept. */
  async function lookAt(sight: PoolSight): Promise<readonly [readonly string[], FpmPoolLook]> {
    const { conf, name, workerCount } = sight;
    if (conf === undefined) return [[], unknownPool(sight)];
    const { statusPath, statusListen, maxChildrenCount } = conf;
    const own = askerAt(conf.listen, statusPath ?? "");
    const apart = statusListen && askerAt(statusListen, statusPath ?? "");
    const keys = [own, apart].flatMap((one) => one === undefined ? [] : [one.key]);
    // Of those that wait at the pool's own socket, one may be our question of before.
    const ours = own?.asker.isWaiting() ? 1 : 0;
    const found = {
      name,
      maxChildrenCount,
      workerCount,
      waitingCount: mapReading(sight.waitingCount, (count) => Math.max(0, count - ours)),
      backlogCount: maybeBacklog(conf, source),
    };
    if (workerCount.kind === "ok" && workerCount.value < maxChildrenCount) {
      return [keys, { ...found, page: { kind: "spared" } }];
    }
    const why = whyNotAsked(sight, conf, own);
    if (why !== undefined) return [keys, { ...found, page: { kind: "none", why } }];
    return [keys, { ...found, page: await pageFrom(apart, own, deadlines) }];
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
      const keys = looked.flatMap(([own]) => own);
      forget((key) => keys.includes(key));
      return ok(looked.map(([, look]) => look));
    },
    close: () => forget(() => false),
  };
}

/** An asker, and what it is found by. */
interface KeyedAsker {
  readonly key: string;
  readonly asker: Asker<FpmStatus>;
}

function whyNotAsked(
  { waitingCount }: PoolSight,
  { statusPath }: FpmPoolConf,
  own: KeyedAsker | undefined,
): string | undefined {
  if (statusPath === undefined) return "has no pm.status_path, so it cannot be asked";
  if (waitingCount.kind !== "ok") return "nobody listens";
  return own === undefined ? "it is not clear where its page is" : undefined;
}

/**
 * The page from the socket that is for it alone, else from the pool's own. A socket apart has one worker, which
 * whoever does not hang up keeps for himself: that it is silent says nothing of the pool.
 */
async function pageFrom(
  apart: KeyedAsker | undefined,
  own: KeyedAsker | undefined,
  { ownMs, apartMs }: PageDeadlines,
): Promise<FpmPage> {
  const asked = await apart?.asker.ask(apartMs);
  if (asked?.kind === "answered") {
    return shown(asked.value, false);
  }
  return own === undefined
    ? { kind: "none", why: "it is not clear where its page is" }
    : pageOf(await own.asker.ask(ownMs));
}

function pageOf(asked: Asked<FpmStatus>): FpmPage {
  switch (asked.kind) {
    case "answered":
      return shown(asked.value, true);
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

function shown(
  { activeCount, maxChildrenReachedCount: limitReachedCount }: FpmStatus,
  isOwnSocket: boolean,
): FpmPage {
  return { kind: "shown", activeCount, limitReachedCount, isOwnSocket };
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
