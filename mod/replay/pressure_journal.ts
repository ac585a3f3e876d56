/**
 * The journal of pressure: one evaluation a line, with what it was made of, so that it can be evaluated again.
 *
 * ```json
 * {"id":"2026-11-30T10:00:05Z","wall":1796032805000,"input":{…},"decided":{"class":"Unknown",…},"instances":[…],"apps":[…]}
 * ```
 *
 * `instances` and `apps` are for people: the evaluation comes from `input` alone.
 */

import type { AppFigures } from "../pressure/app_window.ts";
import type { InstanceFigures } from "../pressure/instance_figures.ts";
import { rounded } from "../pressure/figure.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import { timestamp } from "../report/timestamp.ts";
import { recordOfAggregates, recordOfEvaluation } from "./pressure_record.ts";

/** A line, without a line end. Never throws. */
export function renderPressureJournal(evaluation: PressureEvaluation): string {
  return JSON.stringify(recordOfPressure(evaluation));
}

/** An evaluation as programs read it. Null is not known. Never throws. */
export function recordOfPressure(evaluation: PressureEvaluation): Record<string, unknown> {
  const { wallMs, input, thresholds, instances, apps, host } = evaluation;
  return {
    id: timestamp(wallMs),
    wall: wallMs,
    input: recordOfAggregates(input, thresholds),
    decided: recordOfEvaluation(evaluation),
    instances: instances.map(recordOfInstance),
    apps: apps.map(recordOfApp),
    host: figures(host),
  };
}

function recordOfInstance({ latency: _, score, ...rest }: InstanceFigures): Record<string, unknown> {
  return { ...figures(rest), score: [rounded(score.low, 4), rounded(score.high, 4)] };
}

function recordOfApp({ pools, ...rest }: AppFigures): Record<string, unknown> {
  return { ...figures(rest), pools: pools.map((pool) => figures(pool)) };
}

/** Numbers rounded to four decimals, what is undefined as null. */
function figures(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => {
      if (value === undefined) return [key, null];
      if (typeof value !== "number") return [key, value];
      return [key, Number.isFinite(value) ? rounded(value, 4) : `${value}`];
    }),
  );
}
