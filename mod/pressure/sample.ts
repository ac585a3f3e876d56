/** What one look knows of the web tier, of the applications behind it and of the host; a second lies between two looks. */

import type { Reading } from "../reading.ts";
import type { InstanceMetrics, WaitMetric } from "./metrics.ts";

/** A process of a group, as `/proc/<pid>/stat` has it. */
export interface GroupProcess {
  readonly pid: number;
  readonly ppid: number;
  /** When it started, in ticks of 1/100 s since boot: with the pid it names one process. */
  readonly startTicks: number;
  /** CPU time of its own, user and system, in ticks of 1/100 s. */
  readonly cpuTicks: number;
  /** CPU time of children that it has waited for, in ticks of 1/100 s. */
  readonly reapedTicks: number;
  readonly rssKib: number;
}

/** The processes of a unit or of a rule; none is a group that does not run. */
export type ProcessGroup = readonly GroupProcess[];

/** An instance of the web tier. */
export interface InstanceSample {
  readonly name: string;
  /** Absent where neither a unit nor a pid is configured, or there is no proc root. */
  readonly group: Reading<ProcessGroup>;
  /** Absent where nothing is there to answer. */
  readonly metrics: Reading<InstanceMetrics>;
}

/** A pool of php-fpm. */
export interface PoolSample {
  readonly name: string;
  /** `pm.max_children`. */
  readonly maxCount: number;
  /** Workers that serve a request. Undefined where that could not be told: never 0 for a page that did not come. */
  readonly busyCount: number | undefined;
  /** Connections that wait, as the kernel counts them. */
  readonly waitingCount: number | undefined;
  /** How often all workers that it may have were busy when a request came, since it started, as its page says. */
  readonly limitReachedCount: number | undefined;
}

/** A group of application processes. */
export interface AppSample {
  readonly name: string;
  readonly group: Reading<ProcessGroup>;
  /** CPUs that its processes may use by their cgroup and affinity; undefined where that cannot be told. */
  readonly allowedCpus: number | undefined;
  /** Its pools, where it is php-fpm's. */
  readonly pools: readonly PoolSample[];
  /** How long requests waited for it, where something exports that. */
  readonly queueWait: Reading<WaitMetric>;
}

/** The host. */
export interface HostSample {
  readonly cpuCount: number;
  /** Idle time of all CPUs since boot, in seconds, without waiting for the disk. */
  readonly idleS: Reading<number>;
  readonly memTotalKib: Reading<number>;
  readonly memAvailableKib: Reading<number>;
  /** PSI cpu some avg10, in percent. */
  readonly psiCpuPercent: Reading<number>;
  /** PSI memory full avg10, in percent. */
  readonly psiMemoryPercent: Reading<number>;
  /** Sockets of every kind in the network of this host. */
  readonly socketsCount: Reading<number>;
}

/** What became of a scaling. */
export interface ScaleOutcome {
  readonly action: "ScaleOut" | "ScaleIn";
  readonly isDone: boolean;
  /** The instance that it was about. */
  readonly instance: string;
  /** One line for people. */
  readonly text: string;
}

/** One look. */
export interface PressureSample {
  /** Of a clock that no correction moves. */
  readonly monotonicMs: number;
  /** Time since boot with the time spent suspended, where the kernel tells it; else as `monotonicMs`. */
  readonly uptimeMs: number;
  /** For people, in milliseconds since 1970. */
  readonly wallMs: number;
  readonly instances: readonly InstanceSample[];
  readonly apps: readonly AppSample[];
  readonly host: HostSample;
  /** Whether an instance is being started or stopped now. */
  readonly isScaling: boolean;
  /** Of the scaling that has ended since the last look. */
  readonly outcome: ScaleOutcome | undefined;
  /** Whether the web is held, or this host is out at its balancer: neither says anything of the tier. */
  readonly isHeld: boolean;
}
