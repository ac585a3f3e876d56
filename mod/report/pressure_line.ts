/**
 * One evaluation of pressure as one line, from which it can be computed again:
 *
 * ```text
 * ts=2026-11-30T10:00:05Z pressure=0.97 cpu=0.97 lag=0.62 inflight=0.08 latency=0.00 cpu_lag=0.97 dominant=cpu_lag
 * class=WebTierSaturated action=ScaleOut from=2 to=3 reason="cpu_lag 0.97 > 0.75" …
 * ```
 */

import { cpuLagOf } from "../pressure/components.ts";
import { besideText, fixedText } from "../pressure/figure.ts";
import type { Evaluation } from "../pressure/evaluate.ts";
import { exactly, type Interval, isKnown, maxOf } from "../pressure/interval.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import { LOOP_BLOCKED_LAG } from "../pressure/rules.ts";
import { logfmt } from "./logfmt.ts";
import { timestamp } from "./timestamp.ts";

/** The line, without a line end. Keys stand in a fixed order; `?` is unknown, with its bounds beside it. Never throws. */
export function renderPressureLine(evaluation: PressureEvaluation): string {
  const { score, dominant, because, classBecause, input, thresholds } = evaluation;
  const { scaleOutAbove } = thresholds;
  const printed = printedFigures(evaluation);
  const isScoreKnown = isKnown(score);
  const counting = evaluation.instances.filter(({ standing }) => standing === "counts").length;
  return logfmt([
    ["ts", timestamp(evaluation.wallMs)],
    ["pressure", printed.score],
    ["pressure_low", isScoreKnown ? undefined : fixedText(score.low, 2)],
    ["pressure_high", isScoreKnown ? undefined : fixedText(score.high, 2)],
    ["cpu", printed.cpu],
    ["lag", printed.lag],
    ["inflight", printed.inflight],
    ["latency", printed.latency],
    ["cpu_lag", printed.cpuLag],
    ["dominant", dominant ?? "?"],
    ["class", evaluation.class],
    ["sub", evaluation.class === "Unknown" ? subOf(evaluation) : undefined],
    ["action", evaluation.action],
    ["from", `${evaluation.from}`],
    ["to", `${evaluation.to}`],
    ["reason", because.text],
    ["code", because.code],
    ["why", because.text === classBecause.text ? undefined : classBecause.text],
    ["also", evaluation.also.length === 0 ? undefined : evaluation.also.join(",")],
    ["samples", `${input.validSamples}/${input.neededSamples}`],
    ["instances", `${counting}/${input.instances}`],
    ["hot", fixedText(input.hottestScore, 2)],
    ["below", input.belowScaleInS > 0 ? `${Math.floor(input.belowScaleInS)}s` : undefined],
    ["since_out", sinceText(input.sinceScaleOutS)],
    ["since_in", sinceText(input.sinceScaleInS)],
    ["budget_cpu", `${trimmed(input.totalCpus)}/${trimmed(input.cpuBudget)}`],
    ["budget_ram", ramText(evaluation)],
    [
      "projected",
      evaluation.projected === undefined ? undefined : besideText(evaluation.projected, scaleOutAbove),
    ],
    ["psi_cpu", maybeFixed(evaluation.host.psiCpuPercent)],
    ["psi_mem", maybeFixed(evaluation.host.psiMemoryPercent)],
    ["anomaly", anomaliesOf(evaluation)],
    ["mode", input.mode],
  ]);
}

/** A line whose figures differ by more than their rounding is an error of ours. */
const ROUNDING = 0.006;

type Figures = Pick<PressureEvaluation, "cpu" | "lag" | "inflight" | "latency" | "cpuLag" | "score">;

/** Whether the score is what the components come to, both as they are printed, or by their bounds. Never throws. */
export function isConsistent(evaluation: Figures & Pick<PressureEvaluation, "thresholds">): boolean {
  const printed = printedFigures(evaluation);
  const [cpu, lag, inflight, latency, score] = (["cpu", "lag", "inflight", "latency", "score"] as const).map(
    (key): Interval => isKnown(evaluation[key]) ? exactly(Number(printed[key])) : evaluation[key],
  );
  if (!cpu || !lag || !inflight || !latency || !score) return false;
  const again = maxOf(cpuLagOf(cpu, lag), inflight, latency);
  return Math.abs(again.low - score.low) <= ROUNDING && Math.abs(again.high - score.high) <= ROUNDING;
}

/** An unknown class says more by the reason for it. Never throws. */
export function subOf({ classBecause, isIdle }: Pick<Evaluation, "classBecause" | "isIdle">): string {
  return isIdle ? "idle" : classBecause.code;
}

/** Each with decimals enough to see on which side of its thresholds it lies. */
function printedFigures(
  { cpu, lag, inflight, latency, cpuLag, score, thresholds }:
    & Figures
    & Pick<PressureEvaluation, "thresholds">,
): Readonly<Record<keyof Figures, string>> {
  const { scaleOutAbove, scaleInBelow, lowCpu, nearLimit } = thresholds;
  const text = (one: Interval, ...own: readonly number[]): string =>
    isKnown(one) ? besideText(one.low, scaleOutAbove, scaleInBelow, ...own) : "?";
  return {
    cpu: text(cpu, lowCpu),
    lag: text(lag, LOOP_BLOCKED_LAG),
    inflight: text(inflight, nearLimit),
    latency: text(latency),
    cpuLag: text(cpuLag),
    score: text(score),
  };
}

function sinceText(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : `${Math.floor(seconds)}s`;
}

function ramText({ input }: PressureEvaluation): string | undefined {
  const { memAvailableMiB, minFreeMiB } = input;
  return memAvailableMiB === undefined
    ? undefined
    : `${fixedText(memAvailableMiB, 0)}/${fixedText(minFreeMiB, 0)}`;
}

function anomaliesOf(evaluation: PressureEvaluation): string | undefined {
  const found = evaluation.instances.flatMap(({ name, anomalies }) =>
    anomalies.map((one) => `${name}:${one}`)
  );
  if (!isConsistent(evaluation)) found.push("score_mismatch");
  return found.length === 0 ? undefined : found.join(",");
}

function trimmed(value: number): string {
  return `${Math.round(value * 100) / 100}`;
}

function maybeFixed(value: number | undefined): string | undefined {
  return value === undefined ? undefined : fixedText(value, 2);
}
