/**
 * The probe: whether the host may be sent visitors, one look at a time.
 *
 * Only what was seen bad, several times in a row, takes the host out. Unknown never does, and never brings it
 * back: a host without visitors looks well whatever is wrong with it, so it returns when its sites have
 * answered again and it was out for a while, longer each time.
 *
 * @see https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier
 */

import { type CheckId, type CheckResult, isSite, rowOf, siteCheck, unknown } from "./check.ts";
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

/** So many ticks a look may take until it says nothing. */
const PENDING_TICKS = 6;

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
  const looks = wantedChecks(rules).map(({ id, action }) => {
    const before = state.streaks.get(id) ?? NO_STREAK;
    const counted = countedResult(id, input, isLate);
    const lastMs = state.knownAtMs.get(id) ?? now;
    const result = counted ?? unknown("it was not looked at");
    // A site may take longer than a tick to answer: a look that is still to come is none.
    const isPending = counted === undefined && now - lastMs <= PENDING_TICKS * rules.tickMs;
    const streak = isPending ? before : nextStreak(before, result, streakRulesOf(id, rules));
    const knownMs = result.state === "unknown" ? lastMs : now;
    return { id, action, streak, knownMs, result };
  });
  const standings = standingsOfSites(looks, now, state.provenSites, rules);
  const settled = looks.map((look) =>
    isFaded(look, now, standings.isProven, rules) ? { ...look, streak: NO_STREAK } : look
  );
  const checks = settled.map(({ id, action, streak, result }): CheckReport => ({
    id,
    action,
    settled: streak.settled,
    isUnproven: standings.unproven.has(id),
    result,
  }));
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
    isProven: standings.isProven,
    mayStart: standings.mayStart,
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
      streaks: new Map(settled.map(({ id, streak }) => [id, streak])),
      knownAtMs: new Map(settled.map(({ id, knownMs }) => [id, knownMs])),
      // Not before it is in: of a host that nothing was known of all sites have to pass.
      provenSites: standing.phase === "in" ? standings.passed : state.provenSites,
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
 * What counts of a look; undefined where a check was not looked at. A check of the web has nothing to say while the web is
 * paused on purpose. A site that does not answer in time to an agent that has no time itself may be well.
 */
function countedResult(
  id: CheckId,
  { results, webPaused }: ProbeInput,
  isLate: boolean,
): CheckResult | undefined {
  if (webPaused && rowOf(id).isOfWeb) return unknown("the web is paused on purpose");
  if (isLate && isSite(id)) return unknown("the agent itself was late");
  return results.get(id);
}

/** What a person wants now, if that has not ended by itself. */
function maybeByHand({ byHand, monotonicMs }: ProbeInput): ProbeByHand | undefined {
  if (byHand === undefined) return undefined;
  return byHand.untilMs !== undefined && monotonicMs >= byHand.untilMs ? undefined : byHand;
}

/** One check after a look. */
interface Looked {
  readonly id: CheckId;
  readonly streak: Streak;
  /** When something was known of it last. */
  readonly knownMs: number;
  readonly result: CheckResult;
}

/** What the sites say of the host. */
interface SiteStandings {
  readonly isProven: boolean;
  readonly mayStart: boolean;
  /** Those that could take the host out, and have not passed yet. */
  readonly unproven: ReadonlySet<CheckId>;
  /** Keys of all that have passed. */
  readonly passed: ReadonlySet<string>;
}

/**
 * The sites have shown that the host serves when all that may take it out have answered so many times in a row, one of them at
 * this very look. Where none may, one of the others is enough; where no site is probed, nothing can be shown.
 *
 * One that has not passed yet may be a mistake in its settings, which all hosts have got at once: it takes nobody out and keeps
 * nobody out, but for a host of which nothing has passed.
 */
function standingsOfSites(
  looks: readonly Looked[],
  now: number,
  provenBefore: ReadonlySet<string>,
  { riseCount, sites }: ProbeRules,
): SiteStandings {
  const all = looks.flatMap(({ id, streak, knownMs, result }) => {
    const rule = sites.find(({ name }) => siteCheck(name) === id);
    if (rule === undefined) return [];
    return [{
      id,
      streak,
      ...rule,
      hasRisen: streak.okRun >= riseCount,
      isSeenOk: knownMs === now && result.state === "ok",
    }];
  });
  const deciding = all.filter(({ action }) => action === "drain");
  const proven = deciding.filter(({ key }) => provenBefore.has(key));
  const needed = proven.length > 0 ? proven : deciding;
  const isProven = needed.length > 0
    ? needed.every(({ hasRisen }) => hasRisen) && needed.some(({ isSeenOk }) => isSeenOk)
    : all.length === 0 || all.some(({ hasRisen, isSeenOk }) => hasRisen && isSeenOk);
  return {
    isProven,
    mayStart: isProven || (deciding.length === 0 && all.some(({ streak }) => streak.settled !== "untried")),
    unproven: new Set(deciding.filter((one) => !proven.includes(one)).map(({ id }) => id)),
    passed: new Set([
      ...all.filter(({ hasRisen }) => hasRisen).map(({ key }) => key),
      ...all.filter(({ key }) => provenBefore.has(key)).map(({ key }) => key),
    ]),
  };
}

/**
 * Whether what a check of the host came to says nothing any more: it has not been known for as long as a host stays out at the
 * least, as of a server that was taken away, and the sites answer.
 */
function isFaded(
  { id, streak, knownMs, result }: Looked,
  now: number,
  isProven: boolean,
  { minHoldCapMs }: ProbeRules,
): boolean {
  return !isSite(id) && isProven && streak.settled === "drain" && result.state === "unknown" &&
    now - knownMs >= minHoldCapMs;
}

function changeOf(before: Standing["phase"], after: Standing["phase"]): ProbeVerdict["change"] {
  if (before === after) return undefined;
  if (after === "drained") return "drained";
  return before === "drained" ? "returned" : "ready";
}

/** What the checks behind a reason saw. */
function textOf(reason: ProbeReason, checks: readonly CheckReport[]): string {
  const failed = failedChecks(checks);
  const isTold = reason === "warned" || reason === "not-proven-yet";
  const behind = isTold ? [...failed, ...warningChecks(checks)] : failed;
  return behind.map(({ id, result, isUnproven }) =>
    `${id}: ${result.evidence}${isUnproven ? ", and it has not passed yet, so that it takes nobody out" : ""}`
  ).join("; ");
}
