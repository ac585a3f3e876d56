/** Which processes used the CPU between two looks. */

import { redactArguments } from "../recording/redact.ts";
import type { ProcessInfo } from "./process.ts";

/** One of them. */
export interface BusyProcess {
  readonly pid: number;
  /** Names of the program and of the script that it runs, without folders and arguments. */
  readonly command: string;
  /** Share of one CPU, in percent, whole: 200 is two CPUs. */
  readonly cpuPercent: number;
}

/**
 * The busiest processes, the busiest first; those that used less than one percent of a CPU are left out. Never throws.
 *
 * One that started in between counts from its start. A pid that was given to another process in between counts as new.
 *
 * @param elapsedMs Time between the two looks
 */
export function busiestOf(
  before: readonly ProcessInfo[],
  after: readonly ProcessInfo[],
  elapsedMs: number,
  count: number,
): readonly BusyProcess[] {
  const ticksBefore = new Map(before.map((process) => [keyOf(process), process.cpuTicks ?? 0]));
  return after.map((process) => {
    const ticks = (process.cpuTicks ?? 0) - (ticksBefore.get(keyOf(process)) ?? 0);
    // A tick is 10 ms.
    return { process, cpuPercent: Math.round(100 * ticks * 10 / elapsedMs) };
  })
    .filter(({ cpuPercent }) => cpuPercent >= 1)
    .sort((a, b) => b.cpuPercent - a.cpuPercent)
    .slice(0, count)
    .map(({ process, cpuPercent }) => ({ pid: process.pid, command: commandOf(process), cpuPercent }));
}

function keyOf({ pid, startTicks }: ProcessInfo): string {
  return `${pid}.${startTicks}`;
}

function commandOf({ argv, comm }: ProcessInfo): string {
  const words = redactArguments(argv ?? [], (pool) => pool);
  return words.length === 0 ? comm : words.join(" ");
}
