/**
 * Every metric that an agent tells, by its name: what it is, and by which labels its series differ.
 *
 * Names are those of Prometheus: base units, `_total` for what only grows, ratios where 1 is all there is. States are one
 * series each, of which one is 1. Labels are of closed lists, or names of the configuration, so that their number is
 * bounded; `instance` and `job` are none of them, because those say where Prometheus has a series from. What is not known
 * has no series.
 *
 * @see https://prometheus.io/docs/practices/naming/
 */

/** A row of the table. */
interface MetricRow {
  readonly type: "gauge" | "counter";
  /** One line, without a full stop. */
  readonly help: string;
  /** In the order in which they are printed. */
  readonly labels: readonly string[];
}

function gauge<const L extends readonly string[]>(
  help: string,
  ...labels: L
): { readonly type: "gauge"; readonly help: string; readonly labels: L } {
  return { type: "gauge", help, labels };
}

function counter<const L extends readonly string[]>(
  help: string,
  ...labels: L
): { readonly type: "counter"; readonly help: string; readonly labels: L } {
  return { type: "counter", help, labels };
}

/** Every metric, in the order in which they are printed. */
export const METRICS = {
  "loadweir_build_info": gauge("Version of the agent, always 1", "version"),
  "loadweir_start_time_seconds": gauge("When the agent started, since 1970"),
  "loadweir_process_cpu_seconds_total": counter("CPU time of the agent itself, without programs that it ran"),
  "loadweir_process_resident_memory_bytes": gauge("Memory of the agent itself"),
  "loadweir_config_usable": gauge("Whether the configuration can be used: 0 while an older one stands in"),

  "loadweir_pass_interval_seconds": gauge("From one pass to the next, as configured"),
  "loadweir_passes_total": counter("Evaluations of the load, re-checks included"),
  "loadweir_last_pass_timestamp_seconds": gauge("When the load was last evaluated, since 1970"),
  "loadweir_last_pass_lateness_seconds": gauge("How much later than due the last evaluation was"),
  "loadweir_pass_lateness_seconds_total": counter("How much later than due all evaluations were, together"),

  "loadweir_sensor_state": gauge(
    "What the last look at a sensor gave: 1 for one of ok, absent, failed, frozen",
    "sensor",
    "state",
  ),
  "loadweir_sensor_failures_total": counter(
    "Looks at which a sensor failed or stood still; one that the system does not offer has not failed",
    "sensor",
  ),

  "loadweir_cpus": gauge("CPUs that the load is divided by"),
  "loadweir_load_ratio": gauge("Load average divided by the CPUs", "window"),
  "loadweir_load_threshold_ratio": gauge("Load, divided by the CPUs, that a tier begins above", "threshold"),
  "loadweir_tier": gauge("Tier of the last evaluation: 1 for one of them", "tier"),
  "loadweir_pause_latch": gauge("Whether a marker of MAX or CRIT keeps the web from being given back"),
  "loadweir_crawler_block": gauge("Whether crawlers are turned away"),
  "loadweir_decisions_total": counter("Evaluations by the reason for which they ended as they did", "reason"),
  "loadweir_actions_total": counter("Actions that evaluations asked for", "action"),
  "loadweir_action_failures_total": counter("Actions that were not done, or not completely", "action"),
  "loadweir_events_total": counter("Events as they are in the log of incidents", "event"),

  "loadweir_web_held": gauge("Whether the web is held, by why: all are 0 while nothing is", "reason"),
  "loadweir_hold_seconds": gauge("For how long the web has been held, 0 while it is not"),
  "loadweir_hold_remaining_seconds": gauge("After how long the hold ends by itself, where it does"),
  "loadweir_held_seconds_total": counter("For how long the web was held, all holds together"),
  "loadweir_hold_futile": gauge("Whether a hold was given up as no help, and the load is still high"),

  "loadweir_probe_phase": gauge(
    "Whether balancers are sent here: 1 for one of starting, in, drained",
    "phase",
  ),
  "loadweir_probe_reason": gauge("Why the phase of the probe is what it is: 1 for one of them", "reason"),
  "loadweir_probe_phase_seconds": gauge("For how long the phase of the probe has been this one"),
  "loadweir_probe_last_look_timestamp_seconds": gauge("When the probe last looked, since 1970"),
  "loadweir_probe_check": gauge(
    "What a check of the probe has come to: 1 for one of untried, ok, warn, drain",
    "check",
    "state",
  ),
  "loadweir_probe_check_unseen": gauge("Whether the last look at a check of the probe said nothing", "check"),

  "loadweir_pressure_last_evaluation_timestamp_seconds": gauge(
    "When pressure was last evaluated, since 1970",
  ),
  "loadweir_pressure_evaluations_total": counter(
    "Evaluations of pressure by what they came to",
    "class",
    "action",
    "reason",
  ),
  "loadweir_pressure_class": gauge("Class of the last evaluation of pressure: 1 for one of them", "class"),
  "loadweir_pressure_threshold_ratio": gauge("Thresholds of pressure", "threshold"),
  "loadweir_pressure_component_ratio": gauge(
    "Components of pressure of the web tier, from 0 to 1",
    "component",
  ),
  "loadweir_pressure_score_bound_ratio": gauge(
    "What the score of the web tier is at least and at most: the same where all of it is known",
    "bound",
  ),
  "loadweir_pressure_cpu_used_ratio": gauge("CPU used of what the web tier is assigned, as measured"),
  "loadweir_pressure_lag_p99_seconds": gauge("Lag of the loops of the web tier; NaN where a loop never ran"),
  "loadweir_pressure_inflight_requests": gauge("Requests being served by one instance, in the mean"),
  "loadweir_pressure_latency_p99_seconds": gauge("Latency of the web tier; NaN where nothing was answered"),
  "loadweir_pressure_latency_target_seconds": gauge("Latency that the web tier is to keep, where one is set"),
  "loadweir_pressure_connections_ratio": gauge("Open connections of how many there may be"),
  "loadweir_pressure_memory_available_bytes": gauge("Memory of the host that is available"),
  "loadweir_pressure_memory_min_free_bytes": gauge("Memory of the host that is to stay available"),
  "loadweir_pressure_instances": gauge("Instances of the web tier that run or are being started"),
  "loadweir_pressure_instances_starting": gauge("Instances of the web tier that are too new to count"),
  "loadweir_pressure_instances_min": gauge("How few instances of the web tier there may be"),
  "loadweir_pressure_instances_max": gauge("How many instances of the web tier there may be"),

  "loadweir_pressure_instance_standing": gauge(
    "Whether an instance counts: 1 for one of counts, new, stale, stopped",
    "web_instance",
    "standing",
  ),
  "loadweir_pressure_instance_component_ratio": gauge(
    "Components of pressure of one instance, from 0 to 1",
    "web_instance",
    "component",
  ),
  "loadweir_pressure_instance_cpu_used_ratio": gauge(
    "CPU used of what an instance is assigned, as measured",
    "web_instance",
  ),
  "loadweir_pressure_instance_lag_p99_seconds": gauge(
    "Lag of the loops of an instance; NaN where a loop never ran",
    "web_instance",
  ),
  "loadweir_pressure_instance_inflight_requests": gauge(
    "Requests that an instance is serving",
    "web_instance",
  ),
  "loadweir_pressure_instance_open_connections": gauge("Connections that are open", "web_instance"),
  "loadweir_pressure_instance_connection_limit": gauge("Connections that may be open", "web_instance"),
  "loadweir_pressure_instance_latency_seconds": gauge(
    "Latency of an instance over the window",
    "web_instance",
    "quantile",
  ),
  "loadweir_pressure_instance_upstream_latency_seconds": gauge(
    "How long an instance waits for what is behind it, in the mean",
    "web_instance",
  ),
  "loadweir_pressure_instance_queue_wait_seconds": gauge(
    "How long requests wait before an instance serves them, in the mean",
    "web_instance",
  ),
  "loadweir_pressure_instance_requests_per_second": gauge("Requests that an instance served", "web_instance"),
  "loadweir_pressure_instance_accepts_per_second": gauge("Connections that were accepted", "web_instance"),
  "loadweir_pressure_instance_drops_per_second": gauge(
    "Connections that were accepted and dropped",
    "web_instance",
  ),
  "loadweir_pressure_instance_server_errors_per_second": gauge("Answers 5xx of an instance", "web_instance"),
  "loadweir_pressure_instance_timeouts_per_second": gauge("Timeouts of an instance", "web_instance"),
  "loadweir_pressure_instance_resident_memory_bytes": gauge(
    "Memory of the processes of an instance",
    "web_instance",
  ),

  "loadweir_pressure_app_component_ratio": gauge(
    "Components of pressure of an application, from 0 to 1",
    "app",
    "class",
    "component",
  ),
  "loadweir_pressure_app_cpu_used_ratio": gauge(
    "CPU used of what an application may use, or of one loop where that is the busiest",
    "app",
    "class",
  ),
  "loadweir_pressure_app_queue_rising": gauge(
    "Whether requests wait for an application longer and longer",
    "app",
    "class",
  ),
  "loadweir_pressure_app_queue_wait_seconds": gauge(
    "How long requests wait for an application, in the mean",
    "app",
    "class",
  ),
  "loadweir_pressure_app_processes": gauge("Processes of an application", "app", "class"),
  "loadweir_pressure_app_resident_memory_bytes": gauge(
    "Memory of the processes of an application",
    "app",
    "class",
  ),
} as const satisfies Readonly<Record<string, MetricRow>>;

/** Name of a metric. */
export type MetricName = keyof typeof METRICS;

/** The names, in the order in which they are printed. */
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

/** Name of a label of a metric. */
export type LabelName<N extends MetricName> = typeof METRICS[N]["labels"][number];
