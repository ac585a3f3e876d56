/** The audit as people read it on a terminal: one panel, re-drawn each pass. Text only; colour is put on by the caller. */

import { loadFigure } from "../config/thresholds.ts";
import { type Decision, REASONS } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import type { Sample } from "../ladder/sample.ts";
import { hearWitness, type Witness } from "../ladder/witness.ts";
import { formatLoad } from "../load_percent.ts";
import { maybeValue, whyMissing } from "../reading.ts";

/** All that a panel shows. */
export interface PanelView {
  readonly version: string;
  readonly host: string;
  /** The source of the readings, as people read it. */
  readonly source: string;
  readonly sample: Sample;
  readonly decision: Decision;
  readonly rules: LadderRules;
  /** Memory and swap in words. */
  readonly memory: string;
  /** Bars of the 1-minute load, oldest first; empty before there are two passes. */
  readonly sparkline: string;
  /** Time that the bars span, in milliseconds. */
  readonly sparklineMs: number;
  /** How much later than due the pass was, in milliseconds. */
  readonly lateMs: number;
  /** What would be done now, one line each. */
  readonly would: readonly string[];
  /** Lines that a person should know of, such as problems of the configuration. */
  readonly notes: readonly string[];
}

/** How late a pass may be and still be called on time: a tenth of the shortest usual interval. */
const ON_TIME_MS = 500;

/** Renders the panel, one line each, without a line end after the last. Never throws. */
export function renderPanel(view: PanelView): readonly string[] {
  const { sample, decision, rules } = view;
  const cpuCount = maybeValue(sample.load)?.cpuCount;
  const cpus = cpuCount === undefined ? "CPUs unknown" : `${cpuCount} ${cpuCount === 1 ? "CPU" : "CPUs"}`;
  const lines = [
    `loadweir ${view.version} · ${view.host} · ${cpus} · audit: nothing will be changed`,
    row("source", `${view.source}   last pass ${clockTime(sample.wallMs)} UTC, ${lateness(view.lateMs)}`),
    "",
    row("load", loadText(view)),
    row("witness", witnessText(hearWitness(sample), sample)),
    row("ladder", renderLadder(rules, cpuCount)),
    row("posture", postureText(decision)),
    row("backup", backupText(sample)),
    row("memory", view.memory),
  ];
  const would = view.would.length > 0 ? view.would : ["do nothing"];
  lines.push(...would.map((text, index) => row(index === 0 ? "would" : "", text)));
  if (view.notes.length > 0) lines.push("", ...view.notes);
  return lines;
}

/** The thresholds in percent and as load on this host: `SPIDER > 210 % (load 4.2)   MAX > 610 % (12.2)   …` */
export function renderLadder(rules: LadderRules, cpuCount: number | undefined): string {
  const figure = (percent: number): string =>
    cpuCount === undefined ? "" : ` (load ${loadFigure(percent, cpuCount)})`;
  const steps = [
    `SPIDER > ${rules.spiderPercent} %${figure(rules.spiderPercent)}`,
    `MAX > ${rules.maxPercent} %${figure(rules.maxPercent)}`,
    `CRIT > ${rules.critPercent} %${figure(rules.critPercent)}`,
    `resume < ${rules.resumePercent} %${figure(rules.resumePercent)}`,
  ];
  return steps.join("   ");
}

/** Where the ladder stands and why, in one sentence. */
export function postureText(decision: Decision): string {
  const { tier, reason, load1Percent, load5Percent, overPercent } = decision;
  if (tier === "unknown" || load1Percent === undefined || load5Percent === undefined) {
    return `UNKNOWN, ${REASONS[reason]}`;
  }
  const higher = Math.max(load1Percent, load5Percent).toFixed(1);
  if (overPercent === undefined) return `NORMAL, ${higher} %: ${REASONS[reason]}`;
  const name = tier.toUpperCase();
  if (decision.phase === "pass") return `${name}, ${higher} % is over ${overPercent} %: ${REASONS[reason]}`;
  const verdict = decision.confirmed ? "is still over" : "is no longer over";
  const why = reason === "confirmed" || reason === "spike-passed" ? "" : `: ${REASONS[reason]}`;
  return `${name}, re-checked: ${higher} % ${verdict} ${overPercent} %${why}`;
}

/** A label and its text in two columns. */
export function row(label: string, text: string): string {
  return `${label.padEnd(10)}${text}`;
}

function loadText({ sample, decision, sparkline, sparklineMs }: PanelView): string {
  const load = maybeValue(sample.load);
  if (load === undefined) return `unknown: ${whyMissing(sample.load)}`;
  const figures = [
    `1m ${formatLoad(load.load1Hundredths)} = ${percentText(decision.load1Percent)}`,
    `5m ${formatLoad(load.load5Hundredths)} = ${percentText(decision.load5Percent)}`,
  ];
  if (sparkline !== "") figures.push(`${sparkline}  1m, last ${spanText(sparklineMs)}`);
  return figures.join("   ");
}

function percentText(percent: number | undefined): string {
  return percent === undefined ? "not believed" : `${percent.toFixed(1)} % of the CPUs`;
}

function witnessText(witness: Witness, sample: Sample): string {
  const iowait = maybeValue(sample.gate?.iowaitPercent);
  const runnable = maybeValue(sample.gate?.runnableTasks);
  const parts = [
    runnable === undefined ? undefined : `${runnable} runnable`,
    witness.cpuBusyRatio === undefined ? undefined : `CPU ${Math.round(witness.cpuBusyRatio * 100)} % busy`,
    iowait === undefined ? undefined : `iowait ${iowait} %`,
    witness.psiCpuPercent === undefined ? undefined : `PSI cpu some ${witness.psiCpuPercent}`,
    witness.psiIoPercent === undefined ? undefined : `io some ${witness.psiIoPercent}`,
  ].filter((part) => part !== undefined);
  return `${parts.join(", ")}   ${DEMAND[witness.cpu]}`.trim();
}

const DEMAND: Readonly<Record<Witness["cpu"], string>> = {
  "wanted": "the CPU is wanted",
  "not-wanted": "nothing wants the CPU",
  "unknown": "nothing else to be asked on this host",
};

function backupText(sample: Sample): string {
  const backups = sample.gate?.backups;
  if (backups === undefined) return "not looked for";
  if (backups.kind !== "ok") return `unknown: ${whyMissing(backups)}`;
  return backups.value.length === 0 ? "none running" : backups.value.join(", ");
}

function clockTime(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 19);
}

function lateness(lateMs: number): string {
  return lateMs <= ON_TIME_MS ? "on time" : `${(lateMs / 1000).toFixed(1)} s late`;
}

function spanText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
