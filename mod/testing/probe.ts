/** Looks of the probe for tests. */

import {
  bad,
  type CheckId,
  type CheckResult,
  fine,
  HOST_CHECK_NAMES,
  siteCheck,
  unknown,
} from "../probe/check.ts";
import type { ProbeInput } from "../probe/input.ts";
import { type ProbeStep, probeStep } from "../probe/probe.ts";
import { DEFAULT_PROBE_RULES, type ProbeRules } from "../probe/rules.ts";
import { INITIAL_PROBE_STATE, type ProbeState } from "../probe/state.ts";
import type { ProbeVerdict } from "../probe/verdict.ts";

/** The one site of these tests. */
export const SITE = siteCheck("www.example.org");

/** The defaults with one site. */
export const ONE_SITE_RULES: ProbeRules = {
  ...DEFAULT_PROBE_RULES,
  sites: [{ name: "www.example.org", key: "www", action: "drain" }],
};

/** Before the first look of an agent, whose site has passed under one before. */
export const PROVEN: ProbeState = { ...INITIAL_PROBE_STATE, provenSites: new Set(["www", "b"]) };

/** Results in one letter: ok, bad, a warning, unknown. */
export const RESULTS = {
  o: fine("well"),
  b: bad("drain", "ill"),
  w: bad("warn", "pale"),
  u: unknown("not seen"),
} as const satisfies Readonly<Record<string, CheckResult>>;

/** A letter of {@linkcode RESULTS}. */
export type Letter = keyof typeof RESULTS;

/** Results in which all is well but what is named. */
export function resultsWith(
  named: Readonly<Partial<Record<CheckId, CheckResult>>> = {},
): ReadonlyMap<CheckId, CheckResult> {
  const well = [SITE, ...HOST_CHECK_NAMES].map((id) => [id, RESULTS.o] as const);
  return new Map<CheckId, CheckResult>([...well, ...Object.entries(named) as [CheckId, CheckResult][]]);
}

/** A look in which all is well but what is named. */
export function lookAt(monotonicMs: number, rest: Partial<ProbeInput> = {}): ProbeInput {
  return {
    monotonicMs,
    results: resultsWith(),
    webPaused: false,
    drainLimitReached: false,
    byHand: undefined,
    ...rest,
  };
}

/** A look every 5 s, one for each letter, at the site; the rest is well. */
export function siteLooks(
  letters: string,
  fromMs = 0,
  rest: Partial<ProbeInput> = {},
): readonly ProbeInput[] {
  return [...letters].map((letter, index) =>
    lookAt(fromMs + index * 5_000, { results: resultsWith({ [SITE]: RESULTS[letter as Letter] }), ...rest })
  );
}

/** Feeds looks to the probe, and gives back every step. */
export function probe(
  looks: readonly ProbeInput[],
  rules: ProbeRules = ONE_SITE_RULES,
  start: ProbeState = PROVEN,
): readonly ProbeStep[] {
  const steps: ProbeStep[] = [];
  let state = start;
  for (const look of looks) {
    const result = probeStep(state, look, rules);
    steps.push(result);
    state = result.state;
  }
  return steps;
}

/** The phases of some steps, in one letter each: starting, in, drained. */
export function phasesOf(steps: readonly ProbeStep[]): string {
  return steps.map(({ verdict }) => verdict.phase.charAt(0)).join("");
}

/** What a result comes to, in one word. */
export function saysOf(result: CheckResult): "ok" | "warn" | "drain" | "unknown" {
  return result.state === "bad" ? result.severity : result.state;
}

/** A verdict of a host that serves, unless said otherwise. */
export function aVerdict(rest: Partial<ProbeVerdict> = {}): ProbeVerdict {
  return {
    monotonicMs: 60_000,
    phase: "in",
    reason: "all-well",
    text: "",
    change: undefined,
    sinceMs: 5_000,
    holdUntilMs: undefined,
    checks: [],
    ...rest,
  };
}
