/** Pressure: the web tier and what it came to. */

import { PRESSURE_CLASSES } from "../pressure/classes.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import type { PressureCount } from "../pressure/tally.ts";
import { appSeries, instanceSeries } from "./pressure_part_series.ts";
import { flagOf, type Series, seriesOf, statesOf } from "./series.ts";
import { maybeBytes, maybeFigure, maybeSeconds } from "./units.ts";

/** What was found of pressure. */
export interface PressureFacts {
  /** Undefined where nothing is watched, or not yet. */
  readonly evaluation: PressureEvaluation | undefined;
  /** How evaluations have come out since the agent began. */
  readonly counts: readonly PressureCount[];
}

/** Its series. Never throws. */
export function pressureSeries({ evaluation, counts }: PressureFacts): readonly Series[] {
  return [
    ...counts.flatMap(({ class: name, action, reason, count }) =>
      seriesOf("loadweir_pressure_evaluations_total", count, { class: name, action, reason })
    ),
    ...evaluation === undefined ? [] : [
      ...evaluatedSeries(evaluation),
      ...evaluation.instances.flatMap((one) => instanceSeries(one, evaluation.thresholds)),
      ...evaluation.apps.flatMap(appSeries),
    ],
  ];
}

function evaluatedSeries(evaluation: PressureEvaluation): readonly Series[] {
  const { wallMs, input, thresholds, cpu, lag, inflight, latency, cpuLag, score } = evaluation;
  const { scaleOutAbove, scaleInBelow, appSaturated } = thresholds;
  return [
    ...seriesOf("loadweir_pressure_last_evaluation_timestamp_seconds", wallMs / 1_000),
    ...statesOf(
      PRESSURE_CLASSES,
      evaluation.class,
      (name, flag) => flagOf("loadweir_pressure_class", flag, { class: name }),
    ),
    ...Object.entries({
      scale_out_above: scaleOutAbove,
      scale_in_below: scaleInBelow,
      app_saturated: appSaturated,
    }).flatMap(([threshold, value]) => seriesOf("loadweir_pressure_threshold_ratio", value, { threshold })),
    ...Object.entries({ cpu, lag, inflight, latency, cpu_lag: cpuLag, score }).flatMap((
      [component, interval],
    ) => seriesOf("loadweir_pressure_component_ratio", maybeFigure(interval), { component })),
    ...Object.entries(score).flatMap(([bound, value]) =>
      seriesOf("loadweir_pressure_score_bound_ratio", value, { bound })
    ),
    ...seriesOf("loadweir_pressure_cpu_used_ratio", input.cpu),
    ...seriesOf("loadweir_pressure_lag_p99_seconds", maybeSeconds(input.lagP99Ms)),
    ...seriesOf("loadweir_pressure_inflight_requests", input.inflight),
    ...seriesOf("loadweir_pressure_latency_p99_seconds", maybeSeconds(input.latencyP99Ms)),
    ...seriesOf("loadweir_pressure_latency_target_seconds", maybeSeconds(input.latencyTargetMs)),
    ...seriesOf(
      "loadweir_pressure_connections_ratio",
      // NaN where they could not be seen.
      Number.isNaN(input.connectionsRatio) ? undefined : input.connectionsRatio,
    ),
    ...seriesOf("loadweir_pressure_memory_available_bytes", maybeBytes(input.memAvailableMiB)),
    ...seriesOf("loadweir_pressure_memory_min_free_bytes", maybeBytes(input.minFreeMiB)),
    ...seriesOf("loadweir_pressure_instances", input.instances),
    ...seriesOf("loadweir_pressure_instances_starting", input.starting),
    ...seriesOf("loadweir_pressure_instances_min", input.minInstances),
    ...seriesOf("loadweir_pressure_instances_max", input.maxInstances),
  ];
}
