/** What was seen of one application over the window, and what that comes to. */

import type { AppClass } from "../config/pressure_config.ts";
import { maybeValue } from "../reading.ts";
import { increaseOf } from "./counter.ts";
import { type GroupTotal, noteGroup } from "./group_cpu.ts";
import { FRESH_MS, type Point, rateOf, withPoint } from "./points.ts";
import { isWaitRising, meanWaitMs, type WaitPoint } from "./queue_wait.ts";
import type { AppRules } from "./rules.ts";
import type { AppSample, PoolSample } from "./sample.ts";

/** One look at an application. */
export interface AppPoint extends Point, WaitPoint {
  /** CPU time of its processes since it was first seen; undefined where they were not. */
  readonly cpuS: number | undefined;
  /** What each of its processes used since the look before, by what names it. */
  readonly byProcess: ReadonlyMap<string, number>;
  readonly pools: readonly PoolSample[];
}

/** What is kept of an application from one look to the next. */
export interface AppWindow {
  readonly name: string;
  readonly points: readonly AppPoint[];
  /** Its processes, and what they have used. */
  readonly processes: GroupTotal;
  readonly allowedCpus: number | undefined;
}

/** A pool of php-fpm over the window. */
export interface PoolFigures {
  readonly name: string;
  readonly maxCount: number;
  /** Looks at which all its workers were busy, of those that told. */
  readonly fullCount: number;
  readonly looksCount: number;
  /** Whether connections waited in half of the looks that told whether any did. */
  readonly isWaiting: boolean;
  /** How often in the window a request found all its workers busy, as its page counts. */
  readonly limitReachedCount: number;
  /** Connections that wait now. */
  readonly waitingCount: number | undefined;
}

/** Figures of an application over the window. Undefined is unknown. */
export interface AppFigures {
  readonly name: string;
  readonly class: AppClass;
  readonly processCount: number | undefined;
  /** CPUs that it may use. */
  readonly allottedCpus: number;
  /** CPU used of what it may use; of one loop alone where one is the busiest of all. */
  readonly cpuRatio: number | undefined;
  readonly isQueueRising: boolean | undefined;
  readonly queueWaitMs: number | undefined;
  readonly pools: readonly PoolFigures[];
  readonly rssMiB: number | undefined;
}

/** The window with one more look. Never throws. */
export function noteApp(
  before: AppWindow | undefined,
  { name, group: groupRead, allowedCpus, pools, queueWait }: AppSample,
  { atMs, bootMs, windowMs }: {
    readonly atMs: number;
    /** Since boot, with the time spent suspended: the clock by which the kernel dates processes. */
    readonly bootMs: number;
    readonly windowMs: number;
  },
): AppWindow {
  const group = maybeValue(groupRead);
  const { total: processes, byProcess } = noteGroup(before?.processes, group, bootMs);
  const point: AppPoint = {
    atMs,
    cpuS: group && processes.cpuS,
    byProcess: new Map(byProcess.map((one) => [one.key, one.cpuS])),
    pools,
    wait: maybeValue(queueWait),
  };
  return {
    name,
    points: withPoint(before?.points ?? [], point, windowMs),
    processes,
    allowedCpus: allowedCpus ?? before?.allowedCpus,
  };
}

/** The figures of a window. Never throws. */
export function appFiguresOf(
  { name, points, processes, allowedCpus }: AppWindow,
  own: AppRules,
  hostCpus: number,
): AppFigures {
  const { group } = processes;
  const pools = poolsOf(points);
  const allottedCpus = allotment();
  const usedCpus = rateOf(points, ({ cpuS }) => cpuS);
  const groupRatio = usedCpus === undefined ? undefined : usedCpus / allottedCpus;
  const newest = points.at(-1);
  const isSeen = points.some(({ atMs, cpuS }) =>
    cpuS !== undefined && newest && newest.atMs - atMs <= FRESH_MS
  );
  const seen = isSeen ? group : undefined;
  // One loop at 100 % is saturated, however idle its siblings are.
  const hottest = own.class === "php" ? 0 : hottestRatio(points);
  return {
    name,
    class: own.class,
    processCount: seen?.length,
    allottedCpus,
    cpuRatio: groupRatio === undefined ? undefined : Math.max(groupRatio, hottest),
    isQueueRising: isWaitRising(points) || pools.some(isQueueing) ||
      (isQueueSeen(points, own.queue) ? false : undefined),
    queueWaitMs: meanWaitMs(points, 1),
    pools,
    rssMiB: seen === undefined ? undefined : seen.reduce((sum, { rssKib }) => sum + rssKib, 0) / 1_024,
  };

  /** No more CPUs than processes can use: a loop or a worker uses one. */
  function allotment(): number {
    const cpus = own.cpus ?? Math.min(allowedCpus ?? hostCpus, hostCpus);
    if (own.cpus !== undefined) return cpus;
    const users = own.class === "php"
      ? pools.reduce((sum, { maxCount }) => sum + maxCount, 0)
      : group?.length ?? 0;
    return users === 0 ? cpus : Math.min(cpus, users);
  }
}

/** CPU of the process that used most; a process uses at most one CPU. */
function hottestRatio(points: readonly AppPoint[]): number {
  // Each tells what was used since the one before it that was read, be it outside of the window.
  const read = points.filter(({ cpuS }) => cpuS !== undefined);
  const [first] = read;
  const last = read.at(-1);
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return 0;
  const used = new Map<string, number>();
  for (const { byProcess } of read.slice(1)) {
    for (const [key, cpuS] of byProcess) used.set(key, (used.get(key) ?? 0) + cpuS);
  }
  const spanS = (last.atMs - first.atMs) / 1_000;
  return Math.min(1, Math.max(0, ...used.values()) / spanS);
}

/** The pools of the newest look that told any: a look that is late for its second tells none. */
function poolsOf(points: readonly AppPoint[]): readonly PoolFigures[] {
  const latest = points.findLast(({ pools }) => pools.length > 0)?.pools ?? [];
  return latest.map(({ name, maxCount, waitingCount }) => {
    const looks = points.flatMap(({ atMs, pools }) =>
      pools.filter((pool) => pool.name === name).map((pool) => ({ ...pool, atMs }))
    );
    const reached = increaseOf(
      looks.map((look) => ({ monotonicMs: look.atMs, value: look.limitReachedCount, identity: name })),
    );
    const busy = looks.flatMap(({ busyCount }) => busyCount ?? []);
    const waiting = looks.flatMap((look) => look.waitingCount ?? []);
    const waitingLooks = waiting.filter((count) => count > 0).length;
    return {
      name,
      maxCount,
      fullCount: busy.filter((count) => count >= maxCount).length,
      looksCount: busy.length,
      // Where nothing exports how long requests wait, that they wait in half of all looks is what there is to see.
      isWaiting: waiting.length >= LOOKS_NEEDED && waitingLooks * 2 >= waiting.length,
      limitReachedCount: reached?.increase ?? 0,
      waitingCount,
    };
  });
}

/** Whether requests wait for a pool, be it too shortly for a look to see them. Never throws. */
export function isQueueing({ isWaiting, limitReachedCount }: PoolFigures): boolean {
  return isWaiting || limitReachedCount > 0;
}

/** Whether the last look told whether somebody waits, where something should tell it. */
function isQueueSeen(points: readonly AppPoint[], queue: AppRules["queue"]): boolean {
  const last = points.at(-1);
  switch (queue) {
    case "none":
      return true;
    case "instances":
      return last?.wait !== undefined;
    case "php-fpm":
      return last !== undefined && last.pools.length > 0 &&
        last.pools.every(({ waitingCount }) => waitingCount !== undefined);
  }
}

/** One look at which somebody waits is no queue. */
const LOOKS_NEEDED = 3;
