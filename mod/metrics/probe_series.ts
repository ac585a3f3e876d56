/** The probe: whether balancers are sent here, and what its checks have come to. */

import type { Settled } from "../probe/streak.ts";
import { PROBE_REASONS, type ProbeReason, type ProbeVerdict } from "../probe/verdict.ts";
import { flagOf, type Series, seriesOf, statesOf } from "./series.ts";

const PHASES: readonly ProbeVerdict["phase"][] = ["starting", "in", "drained"];
const REASONS = Object.keys(PROBE_REASONS) as ProbeReason[];
const SETTLED: readonly Settled[] = ["untried", "ok", "warn", "drain"];

/** When the metrics are asked for, by both clocks. */
export interface MetricsMoment {
  readonly nowMs: number;
  readonly nowWallMs: number;
}

/** Its series; none where nothing is probed, or not yet. Never throws. */
export function probeSeries(
  verdict: ProbeVerdict | undefined,
  { nowMs, nowWallMs }: MetricsMoment,
): readonly Series[] {
  if (verdict === undefined) return [];
  const { phase, reason, sinceMs, monotonicMs, checks } = verdict;
  return [
    ...statesOf(PHASES, phase, (one, flag) => flagOf("loadweir_probe_phase", flag, { phase: one })),
    ...statesOf(REASONS, reason, (one, flag) => flagOf("loadweir_probe_reason", flag, { reason: one })),
    ...seriesOf("loadweir_probe_phase_seconds", Math.max(0, nowMs - sinceMs) / 1_000),
    ...seriesOf("loadweir_probe_last_look_timestamp_seconds", (nowWallMs - nowMs + monotonicMs) / 1_000),
    ...checks.flatMap(({ id, settled }) =>
      statesOf(
        SETTLED,
        settled,
        (state, flag) => flagOf("loadweir_probe_check", flag, { check: id, state }),
      )
    ),
    ...checks.flatMap(({ id, result }) =>
      flagOf("loadweir_probe_check_unseen", result.state === "unknown", { check: id })
    ),
  ];
}
