/**
 * php-fpm: whether its pools take connections, and whether all their workers are busy while requests wait.
 *
 * Who waits is asked of the kernel; php-fpm's own figure is always 0 for a unix socket. A pool whose workers
 * are all busy cannot show its own status page, so a page that does not come is told apart from one that fails.
 */

import type { Reading } from "../../reading.ts";
import { bad, type CheckResult, fine, maybeWorst, unknown } from "../check.ts";
import { judged } from "./judge.ts";

/** Share of a pool's backlog that may wait before it is worth a warning. As Zabbix's template. */
const QUEUE_WARN_RATIO = 0.25;

/** How the page of a pool came. */
export type FpmPage =
  | {
    readonly kind: "shown";
    /** Processes that serve a request; undefined where the page does not say. */
    readonly activeCount: number | undefined;
    /** How often a request came while there were `pm.max_children` busy workers, since it started; undefined where it does not say. */
    readonly limitReachedCount: number | undefined;
    /** Over the pool's own socket: then one of them served the page. */
    readonly isOwnSocket: boolean;
  }
  /**
   * Not asked for: there are fewer workers than there may be, so not all of them can be busy. A pool that starts
   * its workers `ondemand` would start one to answer.
   */
  | { readonly kind: "spared" }
  /** The connection stood, and nothing came in time. */
  | { readonly kind: "timed-out" }
  /** It was not asked for, was refused, or is no page. */
  | { readonly kind: "none"; readonly why: string };

/** One look at one pool. */
export interface FpmPoolLook {
  readonly name: string;
  readonly maxChildrenCount: number;
  /** Workers among the processes. */
  readonly workerCount: Reading<number>;
  /** Connections that wait at its socket, counted before its page was asked for, so that ours is not one. */
  readonly waitingCount: Reading<number>;
  /** How many may wait; undefined where it is not known. */
  readonly backlogCount: number | undefined;
  readonly page: FpmPage;
}

/** Whether a pool has all its workers busy and requests that wait. None is unknown. Never throws. */
export function judgeFpmExhausted(pools: Reading<readonly FpmPoolLook[]>): CheckResult {
  return judged(pools, (looks) => maybeWorst(looks.map(judgePool)) ?? unknown("no pool was found"));
}

function judgePool(look: FpmPoolLook): CheckResult {
  return judged(look.waitingCount, (waitingCount) => {
    const busyCount = maybeBusyCount(look);
    if (busyCount === undefined) return unknown(`pool ${look.name}: ${whyNotBusy(look.page)}`);
    const { maxChildrenCount, backlogCount } = look;
    const atMost = look.page.kind === "spared" ? "at most " : "";
    const evidence =
      `pool ${look.name}: ${atMost}${busyCount} of ${maxChildrenCount} workers busy, ${waitingCount} wait`;
    const numbers = { busyCount, maxChildrenCount, waitingCount };
    const isFull = busyCount >= maxChildrenCount;
    if (isFull && waitingCount > 0) return bad("drain", evidence, numbers);
    if (isFull) return bad("warn", evidence, numbers);
    if (backlogCount !== undefined && waitingCount > QUEUE_WARN_RATIO * backlogCount) {
      return bad("warn", `${evidence}, over a quarter of the ${backlogCount} that may`, numbers);
    }
    return fine(evidence, numbers);
  });
}

/**
 * Workers that serve somebody else. A page that does not come while somebody waits says that no worker is
 * free; where there are as many as there may be, all of them are busy.
 */
function maybeBusyCount(
  { page, workerCount, waitingCount, maxChildrenCount }: FpmPoolLook,
): number | undefined {
  switch (page.kind) {
    case "shown":
      if (page.activeCount === undefined) return undefined;
      return Math.max(0, page.activeCount - (page.isOwnSocket ? 1 : 0));
    case "spared":
      return workerCount.kind === "ok" ? workerCount.value : undefined;
    case "timed-out": {
      const isWaitedFor = waitingCount.kind === "ok" && waitingCount.value > 0;
      const isFull = workerCount.kind === "ok" && workerCount.value >= maxChildrenCount;
      return isWaitedFor && isFull ? maxChildrenCount : undefined;
    }
    case "none":
      return undefined;
  }
}

function whyNotBusy(page: FpmPage): string {
  switch (page.kind) {
    case "shown":
      return "its page does not say how many workers are busy";
    case "spared":
      return "its workers cannot be counted";
    case "timed-out":
      return "its page did not come in time";
    case "none":
      return page.why;
  }
}

/** What came of a connection to a pool's socket. `full` is a queue with no place left: busy, not dead. */
export type FpmConnection = "taken" | "full" | "refused" | "missing";

/** One try at the socket of one pool; failed where nothing can be said, as without the right to connect. */
export interface FpmSocketLook {
  readonly name: string;
  readonly connection: Reading<FpmConnection>;
}

/**
 * Whether each pool takes connections. One that does not is enough: the sites of that pool are down. Never
 * throws.
 *
 * @param sockets The pools that the configuration names. None is unknown
 * @param orphanCount Workers whose master is gone: they serve on, and nobody replaces one that ends
 */
export function judgeFpmDead(sockets: Reading<readonly FpmSocketLook[]>, orphanCount: number): CheckResult {
  const orphans = orphanCount === 0
    ? []
    : [bad("warn", `${orphanCount} workers of php-fpm have no master`, { orphanCount })];
  return judged(
    sockets,
    (looks) => maybeWorst([...orphans, ...looks.map(judgeSocket)]) ?? unknown("no pool was found"),
  );
}

function judgeSocket({ name, connection }: FpmSocketLook): CheckResult {
  return judged(connection, (outcome) => {
    switch (outcome) {
      case "taken":
        return fine(`pool ${name} takes connections`);
      case "full":
        return fine(`pool ${name} has no place in its queue, but listens`);
      case "refused":
        return bad("drain", `pool ${name}: nobody listens at its socket`);
      case "missing":
        return bad("drain", `pool ${name}: its socket does not exist`);
    }
  });
}
