/** An evaluation of the ladder explained. */

import { type Decision, REASONS } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import type { Explanation } from "./explanation.ts";

/** Explains a decision by the rules that it was made by. Never throws. */
export function explainDecision(
  decision: Decision,
  rules: LadderRules,
  wallMs: number | undefined,
): Explanation {
  const { tier, phase, confirmed, actions, reason } = decision;
  const again = phase === "pass" ? "" : confirmed ? ", still over at the re-check" : ", looked at again";
  return {
    wallMs,
    about: "ladder",
    found: `${tier.toUpperCase()}${again}${decision.paused ? ", web paused" : ""}`,
    inputs: inputsOf(decision),
    rule: ruleOf(decision, rules),
    margin: marginOf(decision, rules),
    result: `${actions.length === 0 ? "none" : actions.join(", ")}: ${REASONS[reason]} (${reason})`,
  };
}

function inputsOf(decision: Decision): string {
  const { load1Percent, load5Percent, cpuCount, iowaitPercent, backups, witness } = decision;
  if (load1Percent === undefined || load5Percent === undefined) return "no load that could be believed";
  return [
    `load 1m ${load1Percent.toFixed(1)} %, 5m ${load5Percent.toFixed(1)} % of ${cpuCount ?? "?"} CPUs`,
    ...iowaitPercent === undefined ? [] : [`iowait ${iowaitPercent} %`],
    ...backups === undefined ? [] : [`backups ${backups.length === 0 ? "none" : backups.join(", ")}`],
    ...witness?.runnablePerCpu === undefined ? [] : [`${witness.runnablePerCpu.toFixed(2)} runnable per CPU`],
    ...witness?.cpuBusyRatio === undefined ? [] : [`CPU ${Math.round(witness.cpuBusyRatio * 100)} % busy`],
  ].join("; ");
}

/** Whether a decision turned on the resume level: it left the web held, or gave it back. */
function isAboutResume({ paused, actions }: Decision): boolean {
  return paused && actions.length === 0 || actions.includes("resume-web");
}

/** What the decision turned on: the resume level while the web is held, else the thresholds. */
function ruleOf(decision: Decision, rules: LadderRules): string {
  const { overPercent, reason } = decision;
  const { spiderPercent, maxPercent, critPercent, resumePercent } = rules;
  if (isAboutResume(decision)) {
    return `the web is given back once both loads are below ${resumePercent} %`;
  }
  if (reason === "backup-io-bound") {
    return `a backup exempts from MAX and CRIT from ${rules.iowaitMinPercent} % iowait`;
  }
  return overPercent === undefined
    ? `SPIDER above ${spiderPercent} %, MAX above ${maxPercent} %, CRIT above ${critPercent} %`
    : `above ${overPercent} %, again after ${rules.recheckMs / 1_000} s`;
}

function marginOf(decision: Decision, rules: LadderRules): string {
  const { load1Percent, load5Percent, overPercent, iowaitPercent, reason } = decision;
  if (load1Percent === undefined || load5Percent === undefined) return "unknown load never acts";
  if (reason === "backup-io-bound" && iowaitPercent !== undefined) {
    return `iowait ${(iowaitPercent - rules.iowaitMinPercent).toFixed(1)} points over`;
  }
  const higher = Math.max(load1Percent, load5Percent);
  if (isAboutResume(decision)) return distance(higher, rules.resumePercent, "the resume level");
  return distance(higher, overPercent ?? rules.spiderPercent, overPercent === undefined ? "SPIDER" : "it");
}

function distance(percent: number, threshold: number, name: string): string {
  const points = percent - threshold;
  return points > 0
    ? `higher load ${points.toFixed(1)} points over ${name}`
    : `higher load ${(-points).toFixed(1)} points below ${name}`;
}
