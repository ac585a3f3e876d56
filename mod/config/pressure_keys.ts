/** The table of pressure's settings, a part of that of all. */

import { DEFAULT_THRESHOLDS } from "../pressure/rules.ts";
import { type ConfigKey, inSection } from "./config_key.ts";
import { TIER_METRICS } from "./metrics_address.ts";
import type { PressureConfig } from "./pressure_config.ts";
import { CPUS, CPUS_OR_AUTO, MARGIN, MAYBE_TEMPLATE, METRICS_PRESET, PART } from "./pressure_values.ts";
import { choiceType, durationType, FRACTION, integerType, maybeType, YES_OR_NO } from "./values.ts";

/** More instances than a host of any size is given, and few enough to look at each. */
const INSTANCE_LIMIT = 64;

/** 1 TiB in MiB and more than that: whatever a host has. */
const MIB_LIMIT = 16_777_216;

/** Every setting of pressure, in the order of the documentation. Defaults of the rules are those of the rules. */
export const PRESSURE_KEYS: { readonly [F in keyof PressureConfig]: ConfigKey<PressureConfig[F]> } = {
  pressureMode: {
    ...inSection("pressure", "mode", "say what would be scaled, do it, or neither"),
    type: choiceType(["observe", "active", "paused"]),
    fallback: "observe",
  },
  pressureWindowMs: {
    ...inSection("pressure", "window", "an evaluation goes by so much time"),
    type: durationType(3_000, 600_000),
    fallback: 15_000,
  },
  pressureSamplesCount: {
    ...inSection("pressure", "samples", "so many looks of the window must be there, one a second"),
    type: integerType(2, 600),
    fallback: 12,
    unit: "looks",
  },
  pressureConfirmCount: {
    ...inSection("pressure", "confirm", "evaluations in a row until the tier is scaled out"),
    type: integerType(1, 100),
    fallback: DEFAULT_THRESHOLDS.confirm,
    unit: "evaluations",
  },
  scaleOutAboveRatio: {
    ...inSection("pressure", "scale_out_above", "above this score the tier is saturated"),
    type: FRACTION,
    fallback: DEFAULT_THRESHOLDS.scaleOutAbove,
  },
  scaleInBelowRatio: {
    ...inSection("pressure", "scale_in_below", "below this score the tier has an instance too many"),
    type: FRACTION,
    fallback: DEFAULT_THRESHOLDS.scaleInBelow,
  },
  scaleInWindowMs: {
    ...inSection("pressure", "scale_in_window", "and that for so long"),
    type: durationType(5_000, 3_600_000),
    fallback: 1_000 * DEFAULT_THRESHOLDS.scaleInWindowS,
  },
  cooldownOutMs: {
    ...inSection("pressure", "cooldown_out", "after a scale-out, until the next one"),
    type: durationType(1_000, 86_400_000),
    fallback: 1_000 * DEFAULT_THRESHOLDS.cooldownOutS,
  },
  cooldownInMs: {
    ...inSection("pressure", "cooldown_in", "after a scale-in, until the next one"),
    type: durationType(1_000, 86_400_000),
    fallback: 1_000 * DEFAULT_THRESHOLDS.cooldownInS,
  },
  cooldownInAfterOutMs: {
    ...inSection("pressure", "cooldown_in_after_out", "after a scale-out, until a scale-in"),
    type: durationType(1_000, 86_400_000),
    fallback: 1_000 * DEFAULT_THRESHOLDS.cooldownInAfterOutS,
  },
  warmupMs: {
    ...inSection("pressure", "warmup", "a new instance is set aside for so long after it first answers"),
    type: durationType(1_000, 600_000, "not at all"),
    fallback: 10_000,
  },
  startTimeoutMs: {
    ...inSection("pressure", "start_timeout", "a new instance must answer within"),
    type: durationType(1_000, 600_000),
    fallback: 30_000,
  },
  failureBackoffMs: {
    ...inSection("pressure", "failure_backoff", "after a start that failed, until the next one"),
    type: durationType(1_000, 86_400_000),
    fallback: 180_000,
  },
  appSaturatedRatio: {
    ...inSection("pressure", "app_saturated", "from this part of its CPUs an application is saturated"),
    type: PART,
    fallback: DEFAULT_THRESHOLDS.appSaturated,
  },
  nearLimitRatio: {
    ...inSection("pressure", "near_limit", "from this part of a limit connections are near it"),
    type: PART,
    fallback: DEFAULT_THRESHOLDS.nearLimit,
  },
  lowCpuRatio: {
    ...inSection("pressure", "low_cpu", "below this part of its CPUs the tier counts as little busy"),
    type: PART,
    fallback: DEFAULT_THRESHOLDS.lowCpu,
  },
  lagSaturatedMs: {
    ...inSection("pressure", "lag_saturated", "lag of an event loop that counts as 1"),
    type: durationType(1, 60_000),
    fallback: DEFAULT_THRESHOLDS.lagSaturatedMs,
  },
  inflightPerLoopCount: {
    ...inSection("pressure", "inflight_per_loop", "requests being served for each loop that count as 1"),
    type: integerType(1, 1_000_000),
    fallback: DEFAULT_THRESHOLDS.inflightPerLoop,
    unit: "requests",
  },
  dominanceMarginRatio: {
    ...inSection("pressure", "dominance_margin", "so far others may be above CPU and lag, which still count"),
    type: MARGIN,
    fallback: DEFAULT_THRESHOLDS.dominanceMargin,
  },
  latencyTargetMs: {
    ...inSection("pressure", "latency_target", "99 of 100 requests should be faster"),
    type: durationType(1, 600_000, "no target"),
    fallback: 0,
  },
  minFreeMib: {
    ...inSection("pressure", "min_free_ram", "so much stays available; 0 is 256 MiB or 5 %, the larger one"),
    type: integerType(0, MIB_LIMIT),
    fallback: 0,
    unit: "MiB",
  },
  rssBudgetMib: {
    ...inSection("pressure", "rss_budget", "so much memory one instance may use; 0 is no limit"),
    type: integerType(0, MIB_LIMIT),
    fallback: 0,
    unit: "MiB",
  },
  cpuBudget: {
    ...inSection("pressure", "cpu_budget", "CPUs of all instances together; 0 is those of the host but one"),
    type: CPUS_OR_AUTO,
    fallback: 0,
    unit: "CPUs",
  },
  tierTemplate: {
    ...inSection("tier", "template", "template unit of the instances; empty leaves it to hooks"),
    type: MAYBE_TEMPLATE,
    fallback: "",
  },
  tierMinCount: {
    ...inSection("tier", "min", "never scaled in below"),
    type: integerType(1, INSTANCE_LIMIT),
    fallback: 1,
    unit: "instances",
  },
  tierMaxCount: {
    ...inSection("tier", "max", "never scaled out above"),
    type: integerType(1, INSTANCE_LIMIT),
    fallback: 4,
    unit: "instances",
  },
  tierMetrics: {
    ...inSection("tier", "metrics", "where they tell their figures"),
    type: TIER_METRICS,
    fallback: "",
  },
  tierBasePort: {
    ...inSection("tier", "base_port", "the port %p of index 0, so that index 1 has the next one"),
    type: integerType(0, 65_535),
    fallback: 0,
  },
  tierPreset: {
    ...inSection("tier", "preset", "how the figures are called; auto goes by the page"),
    type: METRICS_PRESET,
    fallback: "auto",
  },
  tierLagBaselineMs: {
    ...inSection("tier", "lag_baseline", "their lag is too large by so much; empty is the preset's"),
    type: maybeType(durationType(1, 60_000, "no such time")),
    fallback: undefined,
  },
  tierCpus: {
    ...inSection("tier", "cpus", "CPUs that each may use"),
    type: CPUS,
    fallback: 1,
    unit: "CPUs",
  },
  tierLoopsCount: {
    ...inSection("tier", "loops", "event loops or workers of each"),
    type: integerType(1, 1024),
    fallback: 1,
    unit: "loops",
  },
  tierDrain: {
    ...inSection(
      "tier",
      "drain",
      "what lets one end its requests before it is stopped; none never scales in",
    ),
    type: choiceType(["none", "unit", "hook"]),
    fallback: "none",
  },
  actWhenAppSaturated: {
    ...inSection("tier", "act_when_app_saturated", "also scale out while an application is saturated"),
    type: YES_OR_NO,
    fallback: DEFAULT_THRESHOLDS.actWhenAppSaturated,
  },
};
