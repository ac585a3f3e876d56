/** All metrics of an agent, as they are when they are asked for. */

import { type AgentFacts, agentSeries } from "./agent_series.ts";
import { renderMetrics } from "./exposition.ts";
import { type LadderFacts, ladderSeries } from "./ladder_series.ts";
import { type PressureFacts, pressureSeries } from "./pressure_series.ts";
import { type MetricsMoment, probeSeries } from "./probe_series.ts";
import type { ProbeVerdict } from "../probe/verdict.ts";

/** All that is told. */
export interface MetricFacts extends Omit<AgentFacts, "intervalMs">, LadderFacts, MetricsMoment {
  /** Undefined where nothing is probed, or not yet. */
  readonly verdict: ProbeVerdict | undefined;
  readonly pressure: PressureFacts;
}

/** The page. Never throws. */
export function metricsText(facts: MetricFacts): string {
  return renderMetrics([
    ...agentSeries({ ...facts, intervalMs: facts.rules.intervalMs }),
    ...ladderSeries(facts),
    ...probeSeries(facts.verdict, facts),
    ...pressureSeries(facts.pressure),
  ]);
}
