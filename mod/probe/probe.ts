/**
 * The probe: whether the host may be sent visitors, one look at a time.
 *
 * Only what was seen bad, several times in a row, takes the host out. Unknown never does, and never brings it
 * back: a host without visitors looks well whatever is wrong with it, so it returns when its sites have
 * answered again and it was out for a while, longer each time.
 *
 * @see https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier
 */

import { type CheckId, type CheckResult, isSite, rowOf, unknown } from "./check.ts";
import type { ProbeByHand, ProbeInput } from "./input.ts";
import { type ProbeRules, streakRulesOf, wantedChecks } from "./rules.ts";
import { nextStanding } from "./standing.ts";
import type { ProbeState, Standing } from "./state.ts";
import { nextStreak, NO_STREAK, type Streak } from "./streak.ts";
import {
  type CheckReport,
  failedChecks,
  type ProbeReason,
  type ProbeVerdict,
  warningChecks,
} from "./verdict.ts";

/** A look this many ticks after the one before comes from an agent that is itself short of time. */
const LATE_TICKS = 2;

/** Result of one look. */
export interface ProbeStep {
  readonly state: ProbeState;
  readonly verdict: ProbeVerdict;
}

/**
 * Makes of one look what the host is. Pure: no clock, no I/O; the same state and input always give the same.
 *
 * @param state What the look before left
 * @param input What was seen
 * @param rules Numbers, times and actions
 */
export function probeStep(state: ProbeState, input: ProbeInput, rules: ProbeRules): ProbeStep {
  const now = input.monotonicMs;
  const isLate = state.lookedMs !== undefined && now - state.lookedMs > LATE_TICKS * rules.tickMs;
  const streaks = new Map<CheckId, Streak>();
  const checks: CheckReport[] = [];
  for (const { id, action } of wantedChecks(rules)) {
    const result = countedResult(id, input, isLate);
    const streak = nextStreak(state.streaks.get(id) ?? NO_STREAK, result, streakRulesOf(id, rules));
    streaks.set(id, streak);
    checks.push({ id, action, settled: streak.settled, result });
  }
  const byHand = maybeByHand(input);
  const drainedAtMs = state.drainedAtMs.filter((atMs) => now - atMs < rules.repeatWindowMs);
  const before = state.standing ?? { phase: "starting", sinceMs: now };
  const { standing, reason } = nextStanding(before, {
    now,
    hasFailed: failedChecks(checks).length > 0,
    isSeenBad: failedChecks(checks).some(({ result }) =>
      result.state === "bad" && result.severity === "drain"
    ),
    hasWarned: warningChecks(checks).length > 0,
    hasProbe: checks.some(({ id }) => isSite(id)),
    isProven: isProven(checks, streaks, rules),
    webPaused: input.webPaused,
    drainLimitReached: input.drainLimitReached,
    drainedByHand: byHand?.wants === "drain",
    recentDrainCount: drainedAtMs.length,
  }, rules);
  const isRepeatable = standing.phase === "drained" && before.phase !== "drained" &&
    standing.cause === "checks";
  const phase = byHand?.wants === "undrain" ? "in" : standing.phase;
  const change = changeOf(state.said?.phase ?? "starting", phase);
  const said = state.said?.phase === phase ? state.said : { phase, sinceMs: now };
  return {
    state: {
      standing,
      said,
      drainedAtMs: isRepeatable ? [...drainedAtMs, now] : drainedAtMs,
      streaks,
      lookedMs: now,
    },
    verdict: {
      monotonicMs: now,
      phase,
      reason: byHand?.wants === "undrain" ? "kept-in-by-hand" : reason,
      text: byHand?.why ?? textOf(reason, checks),
      change,
      sinceMs: said.sinceMs,
      holdUntilMs: phase === "drained" && standing.phase === "drained" ? standing.holdUntilMs : undefined,
      checks,
    },
  };
}

/**
 * What counts of a look. A check of the web has nothing to say while the web is paused on purpose. A site that
 * does not answer in time to an agent that has no time itself may be well.
 */
function countedResult(id: CheckId, { results, webPaused }: ProbeInput, isLate: boolean): CheckResult {
  if (webPaused && rowOf(id).isOfWeb) return unknown("the web is paused on purpose");
  if (isLate && isSite(id)) return unknown("the agent itself was late");
  return results.get(id) ?? unknown("it was not looked at");
}

/** What a person wants now, if that has not ended by itself. */
function maybeByHand({ byHand, monotonicMs }: ProbeInput): ProbeByHand | undefined {
  if (byHand === undefined) return undefined;
  return byHand.untilMs !== undefined && monotonicMs >= byHand.untilMs ? undefined : byHand;
}

/**
 * Whether the sites have shown that the host serves: all that may take it out have answered so many times in a
 * row. Where none may, one of the others is enough; where no site is probed, nothing can be shown.
 */
function isProven(
  checks: readonly CheckReport[],
  streaks: ReadonlyMap<CheckId, Streak>,
  { riseCount }: ProbeRules,
): boolean {
  const sites = checks.filter(({ id }) => isSite(id));
  const risen = sites.filter(({ id }) => (streaks.get(id)?.okRun ?? 0) >= riseCount);
  const deciding = sites.filter(({ action }) => action === "drain");
  if (deciding.length > 0) return deciding.every((site) => risen.includes(site));
  return sites.length === 0 || risen.length > 0;
}

function changeOf(before: Standing["phase"], after: Standing["phase"]): ProbeVerdict["change"] {
  if (before === after) return undefined;
  if (after === "drained") return "drained";
  return before === "drained" ? "returned" : "ready";
}

/** What the checks behind a reason saw. */
function textOf(reason: ProbeReason, checks: readonly CheckReport[]): string {
  const failed = failedChecks(checks);
  const behind = reason === "warned" ? [...failed, ...warningChecks(checks)] : failed;
  return behind.map(({ id, result }) => `${id}: ${result.evidence}`).join("; ");
}
