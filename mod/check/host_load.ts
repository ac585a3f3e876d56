/** Whose load it is that is read here, in a container. */

import { containerFinding, type ContainerSigns } from "../container.ts";

/** What is known of this host and its source of readings. */
export interface LoadView {
  /** Whether there is a proc root; without one the load comes from sysinfo(2). */
  readonly hasProcRoot: boolean;
  /** Signs of the process table; undefined where it cannot be read or is not the one that we are in. */
  readonly signs: ContainerSigns | undefined;
  /** What the container calls itself; undefined when nothing says that this is one. */
  readonly containerKind: string | undefined;
}

/**
 * Why the load is that of a host around us; undefined when nothing speaks for it, which is no proof. Never
 * throws.
 *
 * A `/proc/loadavg` may have been made for the container (lxcfs), so there the figures decide. sysinfo(2)
 * always tells the load of the whole machine. Where kernel threads are visible this is the machine itself,
 * whatever a mark in its files says: many virtual machines start from the image of a container.
 */
export function whyHostLoad({ hasProcRoot, signs, containerKind }: LoadView): string | undefined {
  if (signs?.kthreaddVisible) return undefined;
  if (hasProcRoot) {
    const finding = signs && containerFinding(signs);
    return finding && `the kernel counts ${finding.totalTasks} tasks, ` +
        `and only ${finding.visibleThreads} threads are in this container`;
  }
  if (containerKind !== undefined) {
    return `this is a container (${containerKind}), and sysinfo(2) tells the load of the whole machine`;
  }
  if (!signs?.initVisible) return undefined;
  return "no kernel thread is visible, as in a container, and sysinfo(2) tells the load of the whole machine";
}
