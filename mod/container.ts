/**
 * Whether the load average seen here is the host's and not ours.
 *
 * The kernel has one load average. In a container without lxcfs, `/proc/loadavg` shows that of the whole
 * host, while the process table shows the container alone: shedding our web would not bring the load down.
 *
 * @see https://linuxcontainers.org/lxcfs/introduction/
 */

import type { ProcessTable } from "./processes/process.ts";

/** What the two views of the system say. */
export interface ContainerSigns {
  /** Threads of all processes in the process table. */
  readonly visibleThreads: number;
  /** All tasks as `/proc/loadavg` counts them: the figure behind the slash. 0 where it counts none. */
  readonly totalTasks: number;
  /** Pid 2 is kthreadd: the table is that of the first pid namespace, the host's own. */
  readonly kthreaddVisible: boolean;
  /**
   * Pid 1 is in the table. Where it is not, `hidepid` shows us only our own processes and counts mean
   * nothing.
   */
  readonly initVisible: boolean;
}

/** The load is that of a host around us. */
export interface ContainerFinding {
  readonly kind: "host-load";
  readonly visibleThreads: number;
  readonly totalTasks: number;
}

/**
 * How many times more tasks than ours there must be, and how many on top. Tasks come and go between the two
 * reads and threads outnumber processes, so a margin of half would do for hundreds of tasks; the 20 are for
 * tables of a few. A host that itself runs fewer tasks than its container is not recognised: then its load is
 * ours for the most part.
 */
const TASKS_FACTOR = 2;
const TASKS_MARGIN = 20;

/**
 * Finds out whether the load seen is that of a host around us. Never throws.
 *
 * @returns Undefined when nothing speaks for it, which is no proof of the opposite
 */
export function containerFinding(signs: ContainerSigns): ContainerFinding | undefined {
  const { visibleThreads, totalTasks, kthreaddVisible, initVisible } = signs;
  if (kthreaddVisible || !initVisible) return undefined;
  if (totalTasks <= TASKS_FACTOR * visibleThreads + TASKS_MARGIN) return undefined;
  return { kind: "host-load", visibleThreads, totalTasks };
}

/**
 * The signs in a process table. Never throws.
 *
 * @param totalTasks The figure behind the slash in a `/proc/loadavg` of the same moment
 * @returns Undefined when the table holds candidates alone, whose threads are not all that we see
 */
export function containerSigns(table: ProcessTable, totalTasks: number): ContainerSigns | undefined {
  if (table.coverage !== "everything") return undefined;
  let visibleThreads = 0;
  for (const { threadCount } of table.processes) visibleThreads += threadCount;
  return {
    visibleThreads,
    totalTasks,
    kthreaddVisible: table.processes.some(({ pid, isKernelThread }) => pid === 2 && isKernelThread),
    initVisible: table.processes.some(({ pid }) => pid === 1),
  };
}
