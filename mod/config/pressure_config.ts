/** The settings of pressure: what is watched, when the tier counts as saturated, and within which bounds it may be scaled. */

/** The figures are looked at so often. */
export const LOOK_MS = 1_000;

/** What they say is evaluated so often. */
export const EVALUATION_MS = 5_000;

/** Where unix sockets of instances may be: the only folder of such that the program may connect to. */
export const METRICS_FOLDER = "/run/loadweir/metrics";

/** `observe` says what it would do, `active` does it, `paused` neither. */
export type PressureMode = "observe" | "active" | "paused";

/** How the figures on a page are called. `auto` goes by the page. */
export type MetricsPreset = "auto" | "prom-client" | "nginx" | "haproxy" | "php-fpm" | "generic";

/** How an instance is kept from losing requests when it is stopped; `none` never scales in. */
export type DrainMethod = "none" | "unit" | "hook";

/** Language of a group of application processes. */
export type AppClass = "php" | "node" | "python";

/** Settings of pressure that stand in `[pressure]` and `[tier]`. Ratios are 0 to 1. */
export interface PressureConfig {
  readonly pressureMode: PressureMode;
  /** Evaluated over so long a time. */
  readonly pressureWindowMs: number;
  /** Samples of the window, of which there is one a second, that must be there. */
  readonly pressureSamplesCount: number;
  /** Saturated evaluations in a row until the tier is scaled out. */
  readonly pressureConfirmCount: number;
  readonly scaleOutAboveRatio: number;
  readonly scaleInBelowRatio: number;
  /** So long must all evaluations be below before the tier is scaled in. */
  readonly scaleInWindowMs: number;
  readonly cooldownOutMs: number;
  readonly cooldownInMs: number;
  readonly cooldownInAfterOutMs: number;
  /** A new instance is set aside for so long after it first answers. */
  readonly warmupMs: number;
  /** How long a start may take until the instance answers. */
  readonly startTimeoutMs: number;
  /** So long nothing is started after a start that failed. */
  readonly failureBackoffMs: number;
  readonly appSaturatedRatio: number;
  readonly nearLimitRatio: number;
  readonly lowCpuRatio: number;
  /** Lag of a loop at which it counts as saturated. */
  readonly lagSaturatedMs: number;
  readonly inflightPerLoopCount: number;
  readonly dominanceMarginRatio: number;
  /** Latency that 99 of 100 requests should stay below; 0 is none. */
  readonly latencyTargetMs: number;
  /** Memory that is to stay available; 0 is the larger of 256 MiB and 5 % of the RAM. */
  readonly minFreeMib: number;
  /** Memory that one instance may use; 0 is no limit. */
  readonly rssBudgetMib: number;
  /** CPUs that the instances may have together; 0 is those of the host but one. */
  readonly cpuBudget: number;

  /** Template unit of the instances, such as `web@.service`; empty where they are not units of systemd. */
  readonly tierTemplate: string;
  readonly tierMinCount: number;
  readonly tierMaxCount: number;
  /** Where the instances of the template tell their figures; `%i` is the index, `%p` the port. Empty is nowhere. */
  readonly tierMetrics: string;
  /** `%p` of the instance with index 0. */
  readonly tierBasePort: number;
  readonly tierPreset: MetricsPreset;
  /** What their lag is larger than by their own timer; undefined is the preset's. */
  readonly tierLagBaselineMs: number | undefined;
  readonly tierCpus: number;
  readonly tierLoopsCount: number;
  readonly tierDrain: DrainMethod;
  /** Whether the tier may also be scaled out while an application is saturated. */
  readonly actWhenAppSaturated: boolean;
}

/** Where a page is: on loopback, or at a unix socket below the folder of such sockets. */
export interface MetricsAddress {
  readonly at:
    | { readonly kind: "tcp"; readonly host: string; readonly port: number }
    | { readonly kind: "unix"; readonly path: string };
  /** Path of the page with its query, from the first slash. */
  readonly path: string;
}

/** Names that figures have on a page of which no preset knows; empty is a figure that it does not have. */
export interface MetricNames {
  readonly cpu: string;
  readonly lagP99: string;
  readonly lagHistogram: string;
  readonly inflight: string;
  readonly connections: string;
  readonly connectionLimit: string;
  readonly latency: string;
  readonly requests: string;
  readonly serverErrors: string;
  readonly timeouts: string;
  readonly queueWait: string;
  readonly rss: string;
}

/** No name: what a preset knows, or nothing, is found. */
export const NO_METRIC_NAMES: MetricNames = {
  cpu: "",
  lagP99: "",
  lagHistogram: "",
  inflight: "",
  connections: "",
  connectionLimit: "",
  latency: "",
  requests: "",
  serverErrors: "",
  timeouts: "",
  queueWait: "",
  rss: "",
};

/** One instance of the web tier: `[instance:NAME]`. */
export interface InstanceConfig {
  readonly name: string;
  /** Undefined where it tells no figures. */
  readonly metrics: MetricsAddress | undefined;
  readonly preset: MetricsPreset;
  /** Its unit, such as `nginx.service`; empty where it has none. */
  readonly unit: string;
  /**
   * File below `/run` that holds its pid; empty where there is none. The sandbox grants no such file, so it is read by
   * the proc root, as `<proc root>/self/root/run/web.pid`.
   */
  readonly pidFile: string;
  /** CPUs that it may use; 0 is one for each loop. */
  readonly cpus: number;
  readonly loopsCount: number;
  /** How many connections it may have; 0 is what its page says. */
  readonly connectionLimitCount: number;
  /** What its lag is larger than by its own timer; undefined is the preset's. */
  readonly lagBaselineMs: number | undefined;
  readonly names: MetricNames;
}

/** Where it shows that requests wait for an application. */
export type QueueSource =
  | { readonly kind: "none" }
  /** The pools of php-fpm on this host. */
  | { readonly kind: "php-fpm" }
  /** The wait that an instance of the web tier exports. */
  | { readonly kind: "instances" };

/** One group of application processes: `[app:NAME]`. */
export interface AppConfig {
  readonly name: string;
  readonly class: AppClass;
  /** Its unit; empty where it is found by its processes. */
  readonly unit: string;
  /** Exact process name; empty where it is found by its unit. */
  readonly process: string;
  /** An argument that its command line must have, exactly; empty is any. */
  readonly argument: string;
  /** CPUs that it may use; 0 goes by its cgroup and affinity. */
  readonly cpus: number;
  readonly queue: QueueSource;
}
