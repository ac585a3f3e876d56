/** The ladder: loads against their thresholds, what was decided, what is held. */

import { endOfHold } from "../hold/end_of_hold.ts";
import { HOLD_REASONS, type Ledger } from "../hold/ledger.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { isLatched } from "../ladder/state.ts";
import { TIERS } from "../ladder/tier.ts";
import type { AgentCounts } from "./counts.ts";
import { countsOf, flagOf, type Series, seriesOf, statesOf } from "./series.ts";

/** What the ladder has come to. */
export interface LadderFacts {
  readonly nowMs: number;
  readonly counts: AgentCounts;
  readonly rules: LadderRules;
  readonly ledger: Ledger;
}

/** Its series. Never throws. */
export function ladderSeries(facts: LadderFacts): readonly Series[] {
  const { counts, rules, ledger } = facts;
  const decision = counts.latest?.decision;
  const thresholds = {
    spider: rules.spiderPercent,
    max: rules.maxPercent,
    crit: rules.critPercent,
    resume: rules.resumePercent,
  };
  return [
    ...seriesOf("loadweir_cpus", decision?.cpuCount),
    ...seriesOf("loadweir_load_ratio", maybeRatio(decision?.load1Percent), { window: "1m" }),
    ...seriesOf("loadweir_load_ratio", maybeRatio(decision?.load5Percent), { window: "5m" }),
    ...countsOf(
      thresholds,
      (threshold, percent) => seriesOf("loadweir_load_threshold_ratio", percent / 100, { threshold }),
    ),
    ...statesOf(
      [...TIERS, "unknown"],
      decision?.tier,
      (tier, flag) => flagOf("loadweir_tier", flag, { tier }),
    ),
    ...flagOf("loadweir_pause_latch", decision && isLatched(decision.markers)),
    ...flagOf("loadweir_crawler_block", ledger.crawlerBlock?.on ?? decision?.crawlerBlock),
    ...countsOf(
      counts.decisions,
      (reason, count) => seriesOf("loadweir_decisions_total", count, { reason }),
    ),
    ...countsOf(counts.actions, (action, count) => seriesOf("loadweir_actions_total", count, { action })),
    ...countsOf(
      counts.actionFailures,
      (action, count) => seriesOf("loadweir_action_failures_total", count, { action }),
    ),
    ...countsOf(counts.events, (event, count) => seriesOf("loadweir_events_total", count, { event })),
    ...holdSeries(facts),
  ];
}

function holdSeries({ nowMs, counts, rules, ledger: { hold, ladder } }: LadderFacts): readonly Series[] {
  const endMs = hold && endOfHold(hold, rules);
  return [
    ...HOLD_REASONS.flatMap((reason) => flagOf("loadweir_web_held", hold?.reason === reason, { reason })),
    ...seriesOf("loadweir_hold_seconds", hold === undefined ? 0 : secondsFrom(hold.sinceBootMs, nowMs)),
    ...seriesOf("loadweir_hold_remaining_seconds", endMs && secondsFrom(nowMs, endMs)),
    ...seriesOf("loadweir_held_seconds_total", counts.heldMs / 1_000),
    ...flagOf("loadweir_hold_futile", ladder?.futileAtPercent !== undefined),
  ];
}

function maybeRatio(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}

function secondsFrom(startMs: number, endMs: number): number {
  return Math.max(0, endMs - startMs) / 1_000;
}
