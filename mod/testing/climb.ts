/** Samples and rules for tests. */

import { failed, ok } from "../reading.ts";
import { type Step, step } from "../ladder/ladder.ts";
import type { LadderRules } from "../ladder/rules.ts";
import type { GateReadings, LoadSample, Sample } from "../ladder/sample.ts";
import { INITIAL_STATE, isDue, type LadderState } from "../ladder/state.ts";

/** The rules of the defaults. */
export const DEFAULT_RULES: LadderRules = {
  spiderPercent: 210,
  maxPercent: 610,
  critPercent: 810,
  resumePercent: 488,
  intervalMs: 5_000,
  recheckMs: 9_000,
  iowaitMinPercent: 10,
  maxHoldMs: 1_800_000,
  onMaxHold: "resume",
  witness: "advise",
  drasticAllowed: true,
};

/** A gate at which nothing is remarkable: no backup, no iowait, five tasks want each CPU. */
export const BUSY_GATE: GateReadings = {
  backups: ok([]),
  iowaitPercent: ok(0),
  runnableTasks: ok(10),
  psiCpuPercent: ok(60),
  psiIoPercent: ok(0),
};

/** A load of these percentages on two CPUs. */
export function loadOf(
  load1Percent: number,
  load5Percent: number,
  more: Partial<LoadSample> = {},
): LoadSample {
  return { load1Hundredths: load1Percent * 2, load5Hundredths: load5Percent * 2, cpuCount: 2, ...more };
}

/** A sample with both loads at this percentage, or without a load when it is undefined. */
export function sampleAt(
  monotonicMs: number,
  percent: number | undefined,
  gate: GateReadings | undefined = BUSY_GATE,
): Sample {
  const load = percent === undefined ? failed("gone") : ok(loadOf(percent, percent));
  return { monotonicMs, wallMs: monotonicMs, load, gate };
}

/** Feeds samples to the ladder as they fall due, and gives back every step. */
export function climb(
  samples: readonly Sample[],
  rules: LadderRules = DEFAULT_RULES,
  start: LadderState = INITIAL_STATE,
): readonly Step[] {
  const steps: Step[] = [];
  let state = start;
  for (const sample of samples) {
    if (!isDue(state, sample.monotonicMs)) continue;
    const result = step(state, sample, rules);
    steps.push(result);
    state = result.state;
  }
  return steps;
}

/** Samples every second at one percentage, from one second up to but not at another. */
export function steady(fromS: number, toS: number, percent: number | undefined): readonly Sample[] {
  return Array.from({ length: toS - fromS }, (_, index) => sampleAt((fromS + index) * 1000, percent));
}

/** All actions of some steps, in order, without the re-checks. */
export function actionsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ decision }) => decision.actions).filter((action) => action !== "recheck");
}
