/** Pressure of one instance of the web tier, and of one application behind it. */

import type { AppFigures } from "../pressure/app_window.ts";
import { instanceComponents } from "../pressure/components.ts";
import { clampRatio } from "../pressure/interval.ts";
import type { InstanceFigures, InstanceStanding } from "../pressure/instance_figures.ts";
import type { PressureThresholds } from "../pressure/rules.ts";
import { flagOf, type Series, seriesOf, statesOf } from "./series.ts";
import { maybeBytes, maybeFigure, maybeSeconds } from "./units.ts";

const STANDINGS: readonly InstanceStanding[] = ["counts", "new", "stale", "stopped"];

/** Series of an instance. Never throws. */
export function instanceSeries(figures: InstanceFigures, thresholds: PressureThresholds): readonly Series[] {
  const labels = { web_instance: figures.name };
  const { cpu, lag, inflight, cpuLag } = instanceComponents(figures, thresholds);
  const quantiles = {
    "0.5": figures.latencyP50Ms,
    "0.95": figures.latencyP95Ms,
    "0.99": figures.latencyP99Ms,
  };
  return [
    ...statesOf(
      STANDINGS,
      figures.standing,
      (standing, flag) => flagOf("loadweir_pressure_instance_standing", flag, { ...labels, standing }),
    ),
    ...Object.entries({ cpu, lag, inflight, cpu_lag: cpuLag, score: figures.score }).flatMap((
      [component, interval],
    ) =>
      seriesOf("loadweir_pressure_instance_component_ratio", maybeFigure(interval), { ...labels, component })
    ),
    ...seriesOf("loadweir_pressure_instance_cpu_used_ratio", figures.cpuRatio, labels),
    ...seriesOf("loadweir_pressure_instance_lag_p99_seconds", maybeSeconds(figures.lagP99Ms), labels),
    ...seriesOf("loadweir_pressure_instance_inflight_requests", figures.inflightCount, labels),
    ...seriesOf("loadweir_pressure_instance_open_connections", figures.openConnectionsCount, labels),
    ...seriesOf("loadweir_pressure_instance_connection_limit", figures.connectionLimitCount, labels),
    ...Object.entries(quantiles).flatMap(([quantile, ms]) =>
      seriesOf("loadweir_pressure_instance_latency_seconds", maybeSeconds(ms), { ...labels, quantile })
    ),
    ...seriesOf(
      "loadweir_pressure_instance_upstream_latency_seconds",
      maybeSeconds(figures.upstreamHeadMs),
      labels,
    ),
    ...seriesOf("loadweir_pressure_instance_queue_wait_seconds", maybeSeconds(figures.queueWaitMs), labels),
    ...seriesOf("loadweir_pressure_instance_requests_per_second", figures.requestsPerS, labels),
    ...seriesOf("loadweir_pressure_instance_accepts_per_second", figures.acceptsPerS, labels),
    ...seriesOf("loadweir_pressure_instance_drops_per_second", figures.droppedPerS, labels),
    ...seriesOf("loadweir_pressure_instance_server_errors_per_second", figures.serverErrorsPerS, labels),
    ...seriesOf("loadweir_pressure_instance_timeouts_per_second", figures.timeoutsPerS, labels),
    ...seriesOf("loadweir_pressure_instance_resident_memory_bytes", maybeBytes(figures.rssMiB), labels),
  ];
}

/** Series of an application. Never throws. */
export function appSeries(figures: AppFigures): readonly Series[] {
  const labels = { app: figures.name, class: figures.class };
  const { cpuRatio, isQueueRising, queueWaitMs, processCount, rssMiB } = figures;
  const cpu = cpuRatio === undefined ? undefined : clampRatio(cpuRatio);
  return [
    ...seriesOf("loadweir_pressure_app_component_ratio", cpu, { ...labels, component: "cpu" }),
    ...seriesOf("loadweir_pressure_app_cpu_used_ratio", cpuRatio, labels),
    ...flagOf("loadweir_pressure_app_queue_rising", isQueueRising, labels),
    ...seriesOf("loadweir_pressure_app_queue_wait_seconds", maybeSeconds(queueWaitMs), labels),
    ...seriesOf("loadweir_pressure_app_processes", processCount, labels),
    ...seriesOf("loadweir_pressure_app_resident_memory_bytes", maybeBytes(rssMiB), labels),
  ];
}
