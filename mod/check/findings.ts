/**
 * All that a check of a host found: plain values, from which the report, the record and the verdict are made.
 */

import type { Origin } from "../config/resolve.ts";
import type { Problem } from "../config/problem.ts";
import type { StandIn } from "../config/stand_in.ts";
import type { Thresholds } from "../config/thresholds.ts";
import type { LadderRules } from "../ladder/rules.ts";
import type { Sample } from "../ladder/sample.ts";
import type { CrawlerBlockPaths, CrawlerBlockState } from "../nginx/crawler_block.ts";
import type { IncludeFinding } from "../nginx/include_search.ts";
import type { InstanceMetrics } from "../pressure/metrics.ts";
import type { Permission, PermissionKind } from "../permissions.ts";
import type { Reading } from "../reading.ts";
import type { ForeignMaster, ServiceManager } from "../services/ownership.ts";
import type { WebService } from "../services/web_services.ts";
import type { ShippedName } from "../ship/shipped.ts";

/** Everything of one check. */
export interface CheckFindings {
  /** Version of loadweir. */
  readonly version: string;
  readonly host: HostFinding;
  readonly config: ConfigFinding;
  readonly sensors: SensorsFinding;
  readonly web: WebTierFinding;
  readonly block: CrawlerBlockFinding;
  readonly tools: readonly ToolFinding[];
  readonly patterns: Reading<PatternsFinding>;
  readonly sandbox: SandboxFinding;
  readonly shipped: readonly ShippedFinding[];
  /** Empty where nothing is watched. */
  readonly watched: readonly WatchedFinding[];
}

/** An instance or an application that is watched, as it is now. */
export type WatchedFinding =
  | {
    readonly kind: "instance";
    readonly name: string;
    /** Absent where neither a unit nor a pid file is set. */
    readonly processes: Reading<number>;
    /** Absent where no address is set, or nothing is there to ask. */
    readonly metrics: Reading<InstanceMetrics>;
  }
  | {
    readonly kind: "app";
    readonly name: string;
    readonly processes: Reading<number>;
    /** Names of its pools, where it is php-fpm's. */
    readonly pools: readonly string[];
  };

/** The machine, or the container. */
export interface HostFinding {
  readonly name: string;
  /** Release of the kernel, as `6.1.0-40-amd64`. */
  readonly kernel: string;
  /** Whether the check runs as root, who alone sees all of it. */
  readonly isRoot: boolean;
}

/** The settings in effect and where they come from. */
export interface ConfigFinding {
  /** The file of our own settings: the one that was named, else the usual one. */
  readonly path: string;
  /** Paths of the files that were read, in the order in which they count. */
  readonly read: readonly string[];
  readonly profile: "generic" | "boa";
  readonly problems: readonly Problem[];
  /** What stands in for files that cannot be used; undefined when they can. */
  readonly standIn: StandIn | undefined;
  readonly origins: readonly Origin[];
  readonly thresholds: Thresholds;
  readonly rules: LadderRules;
}

/** The readings and what they come from. */
export interface SensorsFinding {
  /** The source in words: `/run/loadweir/proc (bind mount)`. */
  readonly source: string;
  /** Its short name: `bind-mount`. */
  readonly sourceName: string;
  /** Folder that is read like `/proc`; undefined where there is none. */
  readonly procRoot: string | undefined;
  /** Why sources that were tried before are not in use. */
  readonly notes: readonly string[];
  /** One sample with all that a drastic tier would ask for. */
  readonly sample: Sample;
  /** Processes that were found. */
  readonly processes: Reading<number>;
  /** A limit below the number of CPUs; undefined when there is none or it cannot be seen. */
  readonly cpuLimit: CpuLimit | undefined;
  readonly container: ContainerView;
}

/** How much CPU all of this host may use together. */
export interface CpuLimit {
  /** Above 0, often a fraction. */
  readonly cpus: number;
  /** The cgroup that has the limit: `/` for a container as it sees itself. */
  readonly cgroup: string;
}

/** What speaks for a container, and for whose load it is that is read. */
export interface ContainerView {
  /** What the container calls itself, as `lxc`; undefined when nothing says that this is one. */
  readonly kind: string | undefined;
  /** Why the load read here is that of a host around us; undefined when nothing speaks for it. */
  readonly hostLoad: string | undefined;
}

/** What serves the web. */
export interface WebTierFinding {
  readonly manager: ServiceManager;
  readonly services: readonly ServiceFinding[];
  readonly foreign: readonly ForeignMaster[];
  /** Workers whose master is gone. */
  readonly orphanPids: readonly number[];
  /** Named like the web tier, and not understood. */
  readonly unclearPids: readonly number[];
  /** Why it is not known how the units stand; undefined when it is known, or there are none. */
  readonly problem: string | undefined;
}

/** One service with what only looking tells. */
export interface ServiceFinding extends WebService {
  readonly version: Reading<string>;
  /** Pools of a php-fpm; empty for an nginx, or when they cannot be read. */
  readonly pools: readonly PoolFinding[];
  readonly workerCount: number;
}

/** A pool of php-fpm. */
export interface PoolFinding {
  readonly name: string;
  readonly workerCount: number;
}

/** The file that blocks crawlers, and whether nginx loads it. */
export interface CrawlerBlockFinding {
  readonly paths: CrawlerBlockPaths;
  readonly state: CrawlerBlockState;
  readonly include: IncludeFinding;
}

/** A program that is used where it is there. */
export interface ToolFinding {
  readonly name: string;
  /** Undefined when it is not there. */
  readonly path: string | undefined;
}

/** What each pattern matches now. */
export interface PatternsFinding {
  readonly backups: readonly PatternFinding[];
  readonly runaways: readonly PatternFinding[];
  /** Pids that could be backups and could not be told. */
  readonly undecidedPids: readonly number[];
  /** The marker of a running backup; undefined when none is configured. */
  readonly marker: MarkerFinding | undefined;
}

/** One pattern and its processes. */
export interface PatternFinding {
  readonly pattern: string;
  readonly matches: readonly MatchFinding[];
}

/** A process that a pattern matches. */
export interface MatchFinding {
  readonly pid: number;
  /** Program and script, without arguments, which may hold passwords. */
  readonly program: string;
  /** Why CRIT would spare it; undefined for a backup, or when it would be ended. */
  readonly spared: string | undefined;
}

/** A file that holds the pid of a running backup. */
export interface MarkerFinding {
  readonly path: string;
  /** Whether it names a process that lives. */
  readonly running: boolean;
}

/** What this process may do. */
export interface SandboxFinding {
  /** How many things of each kind are listed. */
  readonly listed: Readonly<Record<PermissionKind, number>>;
  /** Kinds that are granted whole, which none on the list is: started with `--allow-all` or the like. */
  readonly whole: readonly string[];
  /** What is listed and not granted. */
  readonly missing: readonly Permission[];
  /** Whether this is the compiled binary, which cannot be given more and does not ask. */
  readonly compiled: boolean;
}

/** A file of ours on the host, beside what this binary prints. */
export interface ShippedFinding {
  readonly name: ShippedName;
  /** Where it is, or would be. */
  readonly path: string;
  readonly state: "absent" | "current" | "differs" | "unreadable";
  /** Whether the host is expected to change it. */
  readonly isTheirs: boolean;
  /** The command that puts it in place, for root. */
  readonly cure: string;
  /** Why it cannot be read; undefined where it can. */
  readonly why: string | undefined;
}

/** Whether the agent of this host is started by what makes a proc root for it, whoever looks from a shell has one or not. */
export function bringsProcRoot({ shipped }: Pick<CheckFindings, "shipped">): boolean {
  return shipped.some(({ name, state }) => (name === "unit" || name === "sysv") && state !== "absent");
}
