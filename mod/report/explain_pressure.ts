/** An evaluation of pressure explained. */

import type { AppClass } from "../config/pressure_config.ts";
import type { Aggregates } from "../pressure/aggregates.ts";
import type { Evaluation } from "../pressure/evaluate.ts";
import { besideText, fixedText } from "../pressure/figure.ts";
import { type Interval, isKnown } from "../pressure/interval.ts";
import type { PressureReason } from "../pressure/reasons.ts";
import {
  IDLE_RESERVE_CPUS,
  LOOP_BLOCKED_LAG,
  type PressureThresholds,
  RSS_RESERVE,
} from "../pressure/rules.ts";
import type { Explanation } from "./explanation.ts";
import { classText } from "./pressure_table.ts";

/** Explains an evaluation by what it was made of. Never throws. */
export function explainEvaluation(
  evaluation: Evaluation,
  input: Aggregates,
  thresholds: PressureThresholds,
  wallMs: number | undefined,
): Explanation {
  const { action, to, from, because } = evaluation;
  const { rule, margin } = turnedOn(evaluation, input, thresholds);
  return {
    wallMs,
    about: "pressure",
    found: classText(evaluation),
    inputs: inputsOf(evaluation, input),
    rule,
    margin,
    result: `${action === "None" ? "none" : `${action} ${from} to ${to}`}: ${because.text} (${because.code})`,
  };
}

function inputsOf({ cpu, lag, cpuLag, inflight, latency, score }: Evaluation, input: Aggregates): string {
  const apps = Object.entries(input.apps).map(([app, { cpu: used, queueRising }]) =>
    `${app} CPU ${used === undefined ? "?" : fixedText(used, 2)}${queueRising ? " with a queue" : ""}`
  );
  return [
    `score ${shown(score)}: cpu ${shown(cpu)}, lag ${shown(lag)}, cpu_lag ${shown(cpuLag)}, inflight ${
      shown(inflight)
    }, latency ${shown(latency)}`,
    `${input.instances} instances, ${input.validSamples} samples`,
    ...apps,
  ].join("; ");
}

/** The rule that it turned on, and by how much. */
function turnedOn(
  { because, cpuLag, score, inflight, latency, cpu, lag, projected }: Evaluation,
  input: Aggregates,
  t: PressureThresholds,
): { readonly rule: string; readonly margin: string } {
  const over = (value: number, threshold: number): string => {
    const text = fixedText(Math.abs(value - threshold), Math.abs(value - threshold) < 0.005 ? 4 : 2);
    return value === threshold ? "exactly at it" : `${text} ${value > threshold ? "over" : "below"}`;
  };
  const app = (which?: AppClass): { readonly rule: string; readonly margin: string } => {
    const seen = Object.entries(input.apps).filter(([name]) => which === undefined || name === which);
    const used = Math.max(0, ...seen.map(([, { cpu }]) => cpu ?? 0));
    return {
      rule:
        `an application from ${t.appSaturated} of its CPUs, or with a queue, while cpu_lag is below ${t.scaleOutAbove}`,
      margin: `CPU ${over(used, t.appSaturated)}${
        seen.some(([, { queueRising }]) => queueRising) ? " with a queue" : ""
      }, cpu_lag ${over(cpuLag.high, t.scaleOutAbove)}`,
    };
  };
  const saturated = {
    rule: `cpu_lag above ${t.scaleOutAbove} and no component larger by more than ${t.dominanceMargin}`,
    margin: `cpu_lag ${over(cpuLag.low, t.scaleOutAbove)}`,
  };
  const since = (seconds: number | undefined, needed: number): string =>
    seconds === undefined ? "never scaled" : `${Math.ceil(needed - seconds)} s left`;
  const rows: Readonly<Record<PressureReason, () => { readonly rule: string; readonly margin: string }>> = {
    "memory": () => ({
      rule: `MemAvailable not below ${fixedText(input.minFreeMiB, 0)} MiB, no instance above ${
        input.rssBudgetMiB ?? "any"
      } MiB`,
      margin: input.memAvailableMiB === undefined
        ? "memory not known"
        : `${fixedText(input.memAvailableMiB - input.minFreeMiB, 0)} MiB`,
    }),
    "php-saturated": () => app("php"),
    "node-saturated": () => app("node"),
    "python-saturated": () => app("python"),
    "web-tier-saturated": () => saturated,
    "connections": () => ({
      rule: `in-flight or connections from ${t.nearLimit} while CPU is below ${t.lowCpu}`,
      margin: `${over(Math.max(inflight.low, input.connectionsRatio || 0), t.nearLimit)}, CPU ${
        over(cpu.high, t.lowCpu)
      }`,
    }),
    "paused": () => ({
      rule: "scaling is not paused and an instance runs",
      margin: `${input.instances} instances`,
    }),
    "insufficient-samples": () => ({
      rule: `${input.neededSamples} samples of the window`,
      margin: `${input.neededSamples - input.validSamples} more needed`,
    }),
    "stale-endpoint": () => ({
      rule: "every component known, and memory and applications where they matter",
      margin: isKnown(score) ? because.text : `the score may be ${shown(score)}`,
    }),
    "inflight-dominant": () => ({
      ...saturated,
      margin: `inflight ${over(inflight.low, cpuLag.low)} cpu_lag`,
    }),
    "latency-dominant": () => ({ ...saturated, margin: `latency ${over(latency.low, cpuLag.low)} cpu_lag` }),
    "skew": () => ({
      rule: `no instance above ${t.scaleOutAbove} while the tier is not`,
      margin: `hottest ${over(input.hottestScore, t.scaleOutAbove)}`,
    }),
    "loop-blocked": () => ({
      rule: `lag from ${LOOP_BLOCKED_LAG} while CPU is below ${t.lowCpu}`,
      margin: `lag ${over(lag.low, LOOP_BLOCKED_LAG)}`,
    }),
    "nominal": () => ({
      rule: `scaled out above ${t.scaleOutAbove}, in below ${t.scaleInBelow}`,
      margin: `score ${over(score.low, t.scaleOutAbove)} the one, ${
        over(score.low, t.scaleInBelow)
      } the other`,
    }),
    "confirming": () => ({
      rule: `saturated in ${t.confirm} evaluations in a row`,
      margin: `${t.confirm - input.confirmations} more needed`,
    }),
    "max-instances": () => ({
      rule: `at most ${input.maxInstances} instances`,
      margin: `${input.instances} there`,
    }),
    "min-instances": () => ({
      rule: `at least ${input.minInstances} instances`,
      margin: `${input.instances} there`,
    }),
    "starting": () => ({ rule: "no instance being started or too new", margin: `${input.starting} is` }),
    "cooldown-out": () => ({
      rule: `${t.cooldownOutS} s after a scale-out`,
      margin: since(input.sinceScaleOutS, t.cooldownOutS),
    }),
    "cooldown-in": () => ({
      rule: `${t.cooldownInS} s after a scale-in, ${t.cooldownInAfterOutS} s after a scale-out`,
      margin: input.sinceScaleOutS !== undefined && input.sinceScaleOutS < t.cooldownInAfterOutS
        ? since(input.sinceScaleOutS, t.cooldownInAfterOutS)
        : since(input.sinceScaleInS, t.cooldownInS),
    }),
    "start-failed": () => ({
      rule: "no start that failed of late",
      margin: `${Math.ceil(input.failureBackoffLeftS ?? 0)} s left`,
    }),
    "host-cpu-budget": () => ({
      rule: `at most ${input.cpuBudget} CPUs assigned, at least ${IDLE_RESERVE_CPUS} idle`,
      margin: `${input.totalCpus} assigned, ${input.cpusPerInstance} more each, ${
        input.hostIdleCpus === undefined ? "?" : fixedText(input.hostIdleCpus, 2)
      } idle`,
    }),
    "host-ram-budget": () => ({
      rule: `MemAvailable after ${RSS_RESERVE} x the largest instance not below ${
        fixedText(input.minFreeMiB, 0)
      } MiB`,
      margin: input.memAvailableMiB === undefined || input.rssMiB === undefined
        ? "memory not known"
        : `${fixedText(input.memAvailableMiB - RSS_RESERVE * input.rssMiB - input.minFreeMiB, 0)} MiB`,
    }),
    "app-also-saturated": () => ({
      rule: "no application saturated besides",
      margin: app().margin,
    }),
    "flap-guard": () => ({ rule: "at most 6 actions and 3 turns in an hour", margin: "none left" }),
    "observe-only": () => ({ ...saturated, rule: "[pressure] mode = active" }),
    "below-window": () => ({
      rule: `idle for ${t.scaleInWindowS} s`,
      margin: `${Math.ceil(t.scaleInWindowS - input.belowScaleInS)} s left`,
    }),
    "projection": () => ({
      rule: `one less would stay below ${t.scaleOutAbove}`,
      margin: projected === undefined
        ? "not known"
        : projected < t.scaleOutAbove
        ? because.text
        : over(projected, t.scaleOutAbove),
    }),
    "no-drain": () => ({ rule: "[tier] drain is declared", margin: "it is not" }),
    "latency-truncated": () => ({ rule: "latency within its buckets", margin: "above the highest" }),
    "scale-in": () => ({
      rule: `score below ${t.scaleInBelow} for ${t.scaleInWindowS} s`,
      margin: `${over(score.high, t.scaleInBelow)}, projected ${
        projected === undefined ? "?" : besideText(projected, t.scaleOutAbove)
      }`,
    }),
  };
  return rows[because.code]();
}

function shown(interval: Interval): string {
  return isKnown(interval)
    ? fixedText(interval.low, 2)
    : `${fixedText(interval.low, 2)}..${fixedText(interval.high, 2)}`;
}
