/** The agent itself: what it is, what it costs, whether it is on time, what it can see. */

import type { AgentCounts } from "./counts.ts";
import { SENSOR_STATES, SENSORS } from "./counts.ts";
import { countsOf, flagOf, type Series, seriesOf, statesOf } from "./series.ts";

/** What the agent is. */
export interface AgentFacts {
  readonly version: string;
  readonly startedWallMs: number;
  /** What it has used; undefined where that could not be had. */
  readonly own: { readonly cpuS: number; readonly residentBytes: number } | undefined;
  readonly isConfigUsable: boolean;
  readonly intervalMs: number;
  readonly counts: AgentCounts;
}

/** Its series. Never throws. */
export function agentSeries(
  { version, startedWallMs, own, isConfigUsable, intervalMs, counts }: AgentFacts,
): readonly Series[] {
  const { latest, sensors } = counts;
  return [
    ...seriesOf("loadweir_build_info", 1, { version }),
    ...seriesOf("loadweir_start_time_seconds", startedWallMs / 1_000),
    ...seriesOf("loadweir_process_cpu_seconds_total", own?.cpuS),
    ...seriesOf("loadweir_process_resident_memory_bytes", own?.residentBytes),
    ...flagOf("loadweir_config_usable", isConfigUsable),
    ...seriesOf("loadweir_pass_interval_seconds", intervalMs / 1_000),
    ...seriesOf("loadweir_passes_total", counts.passes),
    ...seriesOf("loadweir_last_pass_timestamp_seconds", latest && latest.sample.wallMs / 1_000),
    ...seriesOf("loadweir_last_pass_lateness_seconds", latest && latest.lateMs / 1_000),
    ...seriesOf("loadweir_pass_lateness_seconds_total", counts.lateMs / 1_000),
    ...SENSORS.flatMap((sensor) =>
      statesOf(
        SENSOR_STATES,
        sensors[sensor],
        (state, flag) => flagOf("loadweir_sensor_state", flag, { sensor, state }),
      )
    ),
    ...countsOf(
      counts.sensorFailures,
      (sensor, count) => seriesOf("loadweir_sensor_failures_total", count, { sensor }),
    ),
  ];
}
