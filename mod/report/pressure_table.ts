/** Pressure as people read it: the tier in one line, then each instance, each application and the host. */

import type { AppFigures } from "../pressure/app_window.ts";
import { diagnose } from "../pressure/diagnosis.ts";
import type { Evaluation } from "../pressure/evaluate.ts";
import { besideText, fixedText } from "../pressure/figure.ts";
import type { InstanceFigures } from "../pressure/instance_figures.ts";
import { type Interval, isKnown } from "../pressure/interval.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import { row } from "./panel.ts";
import { subOf } from "./pressure_line.ts";

/** A table: its heads and its rows, all of one length. */
export interface TableText {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tier, what it is diagnosed with, and what would be done: one line each. Never throws. */
export function pressureLines(evaluation: PressureEvaluation): readonly string[] {
  const { score, cpu, lag, inflight, latency, cpuLag, input, because, thresholds } = evaluation;
  const { found, advice } = diagnose(evaluation);
  const parts = [
    `cpu ${intervalText(cpu)}`,
    `lag ${intervalText(lag)}`,
    `cpu_lag ${intervalText(cpuLag, thresholds.scaleOutAbove)}`,
    `inflight ${intervalText(inflight)}`,
    `latency ${intervalText(latency)}`,
  ];
  return [
    row("class", classText(evaluation)),
    row("pressure", `${intervalText(score, thresholds.scaleOutAbove)}   ${parts.join("   ")}`),
    ...found.map((text, index) => row(index === 0 ? "found" : "", text)),
    ...advice === undefined ? [] : [row("advice", advice)],
    row("action", `${actionText(evaluation)}: ${because.text}`),
    row(
      "tier",
      `${input.instances} instances of ${input.minInstances} to ${input.maxInstances}, ${
        trimmed(input.totalCpus)
      } of ${trimmed(input.cpuBudget)} CPUs assigned, mode ${input.mode}`,
    ),
  ];
}

/** `NodeSaturated`, `Unknown (idle), also PhpSaturated`. Never throws. */
export function classText(
  evaluation: Pick<Evaluation, "class" | "also" | "classBecause" | "isIdle">,
): string {
  const sub = evaluation.class === "Unknown" ? ` (${subOf(evaluation)})` : "";
  const also = evaluation.also.length === 0 ? "" : `, also ${evaluation.also.join(", ")}`;
  return `${evaluation.class}${sub}${also}`;
}

/** What is done, or would be. Never throws. */
export function actionText({ action, wouldBe, from, to, input }: PressureEvaluation): string {
  if (action !== "None") return `${action} ${from} to ${to}`;
  return wouldBe === "None" || input.mode === "active" ? "none" : `none, would ${wouldBe}`;
}

/** One row for each instance. Never throws. */
export function instanceTable(instances: readonly InstanceFigures[]): TableText {
  return {
    head: [
      "instance",
      "state",
      "score",
      "cpu",
      "lag ms",
      "in flight",
      "conns",
      "req/s",
      "p50 ms",
      "p99 ms",
      "5xx/s",
      "RSS MiB",
    ],
    rows: instances.map((one) => [
      one.name,
      one.standing,
      intervalText(one.score),
      figure(one.cpuRatio, 2),
      figure(one.lagP99Ms, 1),
      figure(one.inflightCount, 0),
      figure(one.openConnectionsCount, 0),
      figure(one.requestsPerS, 1),
      figure(one.latencyP50Ms, 0),
      figure(one.latencyP99Ms, 0),
      figure(one.serverErrorsPerS, 1),
      figure(one.rssMiB, 0),
    ]),
  };
}

/** One row for each application. Never throws. */
export function appTable(apps: readonly AppFigures[]): TableText {
  return {
    head: ["application", "class", "processes", "cpu", "of CPUs", "queue", "wait ms", "RSS MiB"],
    rows: apps.map((one) => [
      one.name,
      one.class,
      figure(one.processCount, 0),
      figure(one.cpuRatio, 2),
      trimmed(one.allottedCpus),
      queueText(one),
      figure(one.queueWaitMs, 1),
      figure(one.rssMiB, 0),
    ]),
  };
}

/** The host in one line. Never throws. */
export function hostText({ host }: PressureEvaluation): string {
  return [
    `${host.cpuCount} CPUs, ${figure(host.idleCpus, 2)} idle`,
    `${figure(host.memAvailableMiB, 0)} of ${figure(host.memTotalMiB, 0)} MiB available`,
    `PSI cpu some ${figure(host.psiCpuPercent, 2)}, memory full ${figure(host.psiMemoryPercent, 2)}`,
  ].join(", ");
}

function queueText({ isQueueRising, pools }: AppFigures): string {
  const waiting = pools.flatMap(({ waitingCount }) => waitingCount ?? []);
  const isTold = waiting.length === pools.length;
  if (pools.length === 0) return isQueueRising ? "rising" : isQueueRising === undefined ? "?" : "-";
  const count = isTold ? `${waiting.reduce((sum, one) => sum + one, 0)}` : "?";
  return `${count} waiting${isQueueRising ? ", rising" : ""}`;
}

function intervalText(interval: Interval, threshold?: number): string {
  if (!isKnown(interval)) return `${fixedText(interval.low, 2)}..${fixedText(interval.high, 2)}`;
  return threshold === undefined ? fixedText(interval.low, 2) : besideText(interval.low, threshold);
}

function figure(value: number | undefined, digits: number): string {
  return value === undefined ? "?" : fixedText(value, digits);
}

function trimmed(value: number): string {
  return `${Math.round(value * 100) / 100}`;
}
