/** What was seen of one instance over the window. */

import type { InstanceMetrics } from "./metrics.ts";
import { type GroupTotal, noteGroup, processKey } from "./group_cpu.ts";
import { type Point, withPoint } from "./points.ts";
import type { InstanceSample, ProcessGroup } from "./sample.ts";
import { maybeValue } from "../reading.ts";

/** One look at an instance. */
export interface InstancePoint extends Point {
  /** Undefined where the page did not come whole. */
  readonly metrics: InstanceMetrics | undefined;
  /** CPU time of its processes since it was first seen; undefined where they were not. */
  readonly groupCpuS: number | undefined;
  readonly rssKib: number | undefined;
}

/** What is kept of an instance from one look to the next. */
export interface InstanceWindow {
  readonly name: string;
  /** What names its process; undefined while it has none, or nothing tells. */
  readonly identity: string | undefined;
  readonly points: readonly InstancePoint[];
  /** Its processes, and what they have used. */
  readonly processes: GroupTotal;
  /** When its processes were last read; undefined where they never were. */
  readonly groupAtMs: number | undefined;
  /** Whether anything tells of its processes, be it that it could not be read. */
  readonly hasGroup: boolean;
  /** When it first answered; undefined while it has not. */
  readonly firstAnswerMs: number | undefined;
  /** When it last answered. */
  readonly lastAnswerMs: number | undefined;
  /** When it was first seen. */
  readonly firstSeenMs: number;
  /** Whether it had just started when it first answered. */
  readonly isNew: boolean;
  /** Whether it has a page at all. */
  readonly hasPage: boolean;
}

/** So long without an answer is three looks: what was seen before does not count any more. */
export const GAP_MS = 3_000;

/** Milliseconds of a tick of the kernel. */
const TICK_MS = 10;

/**
 * The window with one more look. Another process, or none for three looks, begins it anew. Never throws.
 *
 * @param before Undefined for an instance that was not seen before
 * @param isFirstLook Whether anything was looked at before: what runs already when an agent starts is not new
 */
export function noteInstance(
  before: InstanceWindow | undefined,
  { name, group: groupRead, metrics: metricsRead }: InstanceSample,
  { atMs, bootMs, windowMs, warmupMs, isFirstLook }: {
    readonly atMs: number;
    /** Since boot, with the time spent suspended: the clock by which the kernel dates processes. */
    readonly bootMs: number;
    readonly windowMs: number;
    readonly warmupMs: number;
    readonly isFirstLook: boolean;
  },
): InstanceWindow {
  const group = maybeValue(groupRead);
  const metrics = maybeValue(metricsRead);
  const identity = identityOf();
  const isSame = before !== undefined && before.identity === identity;
  const kept = isSame ? before : undefined;
  const points = kept === undefined || isGap(kept, atMs) ? withoutMetrics(kept) : kept.points;
  const { total: processes } = noteGroup(kept?.processes, group, bootMs);
  const rssKib = group === undefined || group.length === 0
    ? metrics?.rssBytes === undefined ? undefined : metrics.rssBytes / 1_024
    : group.reduce((sum, process) => sum + process.rssKib, 0);
  const isFirstAnswer = metrics !== undefined && kept?.firstAnswerMs === undefined;
  return {
    name,
    identity,
    points: withPoint(points, { atMs, metrics, groupCpuS: group && processes.cpuS, rssKib }, windowMs),
    processes,
    groupAtMs: group === undefined ? kept?.groupAtMs : atMs,
    hasGroup: groupRead.kind !== "absent",
    firstAnswerMs: isFirstAnswer ? atMs : kept?.firstAnswerMs,
    lastAnswerMs: metrics === undefined ? kept?.lastAnswerMs : atMs,
    firstSeenMs: kept?.firstSeenMs ?? atMs,
    isNew: isFirstAnswer ? isJustStarted() : kept?.isNew ?? false,
    hasPage: metricsRead.kind !== "absent",
  };

  /** By its processes; where none are configured by what it says of itself. A look that failed says nothing of it. */
  function identityOf(): string | undefined {
    switch (groupRead.kind) {
      case "ok": {
        const main = mainProcess(groupRead.value);
        return main && processKey(main);
      }
      case "absent":
        return metrics?.startTimeS === undefined ? before?.identity : `${metrics.startTimeS}`;
      case "failed":
        return before?.identity;
    }
  }

  function isJustStarted(): boolean {
    if (kept !== undefined) return true;
    const main = group && mainProcess(group);
    if (main !== undefined) return bootMs - main.startTicks * TICK_MS < warmupMs;
    return !isFirstLook;
  }
}

/** What is known of an instance without what was seen of it: its processes and its age stay. Never throws. */
export function withoutPoints(window: InstanceWindow): InstanceWindow {
  return { ...window, points: [] };
}

/** Where the page did not come for three looks, or nobody looked: what it said before does not count any more. */
function isGap({ points, lastAnswerMs }: InstanceWindow, atMs: number): boolean {
  const lastMs = points.at(-1)?.atMs ?? atMs;
  return atMs - lastMs > GAP_MS || (lastAnswerMs !== undefined && atMs - lastAnswerMs > GAP_MS);
}

/** Processes are seen all the same. */
function withoutMetrics(window: InstanceWindow | undefined): readonly InstancePoint[] {
  return (window?.points ?? []).map((point) => ({ ...point, metrics: undefined }));
}

/** The oldest one: workers come and go. */
function mainProcess(group: ProcessGroup): ProcessGroup[number] | undefined {
  return group.toSorted((a, b) => a.startTicks - b.startTicks || a.pid - b.pid)[0];
}
