/**
 * CPU time of a group of processes between two looks: the sum of what each process used, never a difference of sums, which
 * falls when a process ends.
 *
 *     before  w1 10.0 s  w2 20.0 s         difference of the sums: -9.3 s
 *     after              w2 20.5 s  w3 0.2 s (new)     right: 0.5 + 0.2 = 0.7 s
 *
 * What a process used after it was last seen and before it ended is found with its parent, which is told of it when it
 * waits for the child; one that nobody waits for keeps it. A child may be gone some looks before it is waited for: what
 * was counted of it while it lived is kept until then, else all that it ever used would count a second time.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */

import type { GroupProcess, ProcessGroup } from "./sample.ts";

/** What one process used, by what names it for as long as the host is up. */
export interface ProcessCpu {
  readonly key: string;
  readonly cpuS: number;
}

/** What a group used. */
export interface GroupCpu {
  readonly cpuS: number;
  /** Of those that are there after it. */
  readonly byProcess: readonly ProcessCpu[];
  /** What was counted of children that are gone and that their parents, by their keys, may yet be told of. */
  readonly unreapedTicks: ReadonlyMap<string, number>;
}

/** CPU time of a group since it was first seen, from look to look. */
export interface GroupTotal {
  /** Its processes when they were last known; undefined where they never were. */
  readonly group: ProcessGroup | undefined;
  /** When that was, in milliseconds since boot. */
  readonly seenBootMs: number;
  readonly cpuS: number;
  readonly unreapedTicks: GroupCpu["unreapedTicks"];
}

/** A look at a group. */
export interface GroupTotalStep {
  readonly total: GroupTotal;
  /** What each of its processes used since it was last known. */
  readonly byProcess: readonly ProcessCpu[];
}

/** The kernel's USER_HZ on every architecture that the binary runs on. */
const TICKS_PER_S = 100;

/** Milliseconds of a tick. */
const TICK_MS = 1_000 / TICKS_PER_S;

/** What names a process. */
export function processKey({ pid, startTicks }: Pick<GroupProcess, "pid" | "startTicks">): string {
  return `${pid}:${startTicks}`;
}

/**
 * The total with one more look. A look that failed is spanned by the next one. Never throws.
 *
 * @param group Undefined where it could not be read
 * @param bootMs When, in milliseconds since boot, as the kernel dates processes: also the time spent suspended
 */
export function noteGroup(
  before: GroupTotal | undefined,
  group: ProcessGroup | undefined,
  bootMs: number,
): GroupTotalStep {
  if (group === undefined) {
    return {
      total: before ?? { group, seenBootMs: bootMs, cpuS: 0, unreapedTicks: new Map() },
      byProcess: [],
    };
  }
  if (before?.group === undefined) {
    return { total: { group, seenBootMs: bootMs, cpuS: 0, unreapedTicks: new Map() }, byProcess: [] };
  }
  const used = groupCpu(before.group, before.seenBootMs, group, before.unreapedTicks);
  const { unreapedTicks, byProcess } = used;
  return { total: { group, seenBootMs: bootMs, cpuS: before.cpuS + used.cpuS, unreapedTicks }, byProcess };
}

/**
 * What the group used between two looks. Never throws, and never gives less than 0.
 *
 * @param beforeMs When the first look was, in milliseconds since boot: who started later counts from its start, and who
 * started earlier but was not seen then counts from now on
 * @param unreapedBefore What the looks before left of it
 */
export function groupCpu(
  before: ProcessGroup,
  beforeMs: number,
  after: ProcessGroup,
  unreapedBefore: GroupCpu["unreapedTicks"] = new Map(),
): GroupCpu {
  const seen = new Map(before.map((process) => [processKey(process), process]));
  const alive = new Set(after.map(processKey));
  const goneByParent = new Map<number, number>();
  for (const process of before) {
    if (alive.has(processKey(process))) continue;
    const counted = process.cpuTicks + Math.max(0, process.reapedTicks);
    goneByParent.set(process.ppid, (goneByParent.get(process.ppid) ?? 0) + counted);
  }
  let tailTicks = 0;
  const unreapedTicks = new Map<string, number>();
  const byProcess = after.map((process): ProcessCpu => {
    const key = processKey(process);
    const earlier = seen.get(key);
    if (earlier === undefined) {
      const isBorn = process.startTicks * TICK_MS >= beforeMs;
      return { key, cpuS: (isBorn ? process.cpuTicks : 0) / TICKS_PER_S };
    }
    const goneTicks = (unreapedBefore.get(key) ?? 0) + (goneByParent.get(process.pid) ?? 0);
    const reapedTicks = Math.max(0, process.reapedTicks - earlier.reapedTicks);
    tailTicks += Math.max(0, reapedTicks - goneTicks);
    if (goneTicks > reapedTicks) unreapedTicks.set(key, goneTicks - reapedTicks);
    return { key, cpuS: Math.max(0, process.cpuTicks - earlier.cpuTicks) / TICKS_PER_S };
  });
  const ownS = byProcess.reduce((sum, { cpuS }) => sum + cpuS, 0);
  return { cpuS: ownS + tailTicks / TICKS_PER_S, byProcess, unreapedTicks };
}
