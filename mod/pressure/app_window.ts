/** What was seen of one application over the window, and what that comes to. */

import type { AppClass } from "../config/pressure_config.ts";
import { maybeValue } from "../reading.ts";
import { groupCpu } from "./group_cpu.ts";
import { type Point, rateOf, withPoint } from "./points.ts";
import { isWaitRising, meanWaitMs, type WaitPoint } from "./queue_wait.ts";
import type { AppRules } from "./rules.ts";
import type { AppSample, PoolSample, ProcessGroup } from "./sample.ts";

/** One look at an application. */
export interface AppPoint extends Point, WaitPoint {
  /** CPU time of its processes since it was first seen; undefined where they were not. */
  readonly cpuS: number | undefined;
  /** What each of its processes used since the look before, by what names it. */
  readonly byProcess: ReadonlyMap<string, number>;
  readonly pools: readonly PoolSample[];
  /** Whether what should tell of the wait did not. */
  readonly isWaitLost: boolean;
}

/** What is kept of an application from one look to the next. */
export interface AppWindow {
  readonly name: string;
  readonly points: readonly AppPoint[];
  readonly group: ProcessGroup | undefined;
  readonly groupAtMs: number;
  /** CPU time of its processes since it was first seen. */
  readonly cpuTotalS: number;
  readonly allowedCpus: number | undefined;
}

/** A pool of php-fpm over the window. */
export interface PoolFigures {
  readonly name: string;
  readonly maxCount: number;
  /** Looks at which all its workers were busy. */
  readonly fullCount: number;
  /** Looks at which connections waited. */
  readonly waitingLooksCount: number;
  readonly looksCount: number;
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
  atMs: number,
  windowMs: number,
): AppWindow {
  const group = maybeValue(groupRead);
  const cpu = before?.group === undefined || group === undefined
    ? undefined
    : groupCpu(before.group, before.groupAtMs, group);
  const cpuTotalS = (before?.cpuTotalS ?? 0) + (cpu?.cpuS ?? 0);
  const byProcess = new Map(cpu?.byProcess.map((one) => [one.key, one.cpuS]));
  const cpuS = group && cpuTotalS;
  const point = {
    atMs,
    cpuS,
    byProcess,
    pools,
    wait: maybeValue(queueWait),
    isWaitLost: queueWait.kind === "failed",
  };
  return {
    name,
    points: withPoint(before?.points ?? [], point, windowMs),
    group: group ?? before?.group,
    groupAtMs: group === undefined ? before?.groupAtMs ?? atMs : atMs,
    cpuTotalS,
    allowedCpus: allowedCpus ?? before?.allowedCpus,
  };
}

/** The figures of a window. Never throws. */
export function appFiguresOf(
  { name, points, group, allowedCpus }: AppWindow,
  own: AppRules,
  hostCpus: number,
): AppFigures {
  const pools = poolsOf(points);
  const allottedCpus = allotment();
  const usedCpus = rateOf(points, ({ cpuS }) => cpuS);
  const groupRatio = usedCpus === undefined ? undefined : usedCpus / allottedCpus;
  // One loop at 100 % is saturated, however idle its siblings are.
  const hottest = own.class === "php" ? 0 : hottestRatio(points);
  return {
    name,
    class: own.class,
    processCount: group?.length,
    allottedCpus,
    cpuRatio: groupRatio === undefined ? undefined : Math.max(groupRatio, hottest),
    isQueueRising: isWaitRising(points) || pools.some(isWaiting) || (isQueueSeen(points) ? false : undefined),
    queueWaitMs: meanWaitMs(points, 1),
    pools,
    rssMiB: group === undefined ? undefined : group.reduce((sum, { rssKib }) => sum + rssKib, 0) / 1_024,
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
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return 0;
  const used = new Map<string, number>();
  // What was used up to the first look of the window lies before it.
  for (const { byProcess } of points.slice(1)) {
    for (const [key, cpuS] of byProcess) used.set(key, (used.get(key) ?? 0) + cpuS);
  }
  const spanS = (last.atMs - first.atMs) / 1_000;
  return Math.min(1, Math.max(0, ...used.values()) / spanS);
}

function poolsOf(points: readonly AppPoint[]): readonly PoolFigures[] {
  const latest = points.at(-1)?.pools ?? [];
  return latest.map(({ name, maxCount, waitingCount }) => {
    const looks = points.flatMap(({ pools }) => pools.filter((pool) => pool.name === name));
    return {
      name,
      maxCount,
      fullCount: looks.filter(({ busyCount }) => busyCount !== undefined && busyCount >= maxCount).length,
      waitingLooksCount: looks.filter((look) => (look.waitingCount ?? 0) > 0).length,
      looksCount: looks.length,
      waitingCount,
    };
  });
}

/** Where nothing exports how long requests wait, that they wait in half of all looks is what there is to see. */
function isWaiting({ waitingLooksCount, looksCount }: PoolFigures): boolean {
  return looksCount >= LOOKS_NEEDED && waitingLooksCount * 2 >= looksCount;
}

/** Whether the last look told whether somebody waits, where something should tell it. */
function isQueueSeen(points: readonly AppPoint[]): boolean {
  const last = points.at(-1);
  return last !== undefined && !last.isWaitLost &&
    last.pools.every(({ waitingCount }) => waitingCount !== undefined);
}

/** One look at which somebody waits is no queue. */
const LOOKS_NEEDED = 3;
