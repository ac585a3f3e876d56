/** Where the host stands after a look: what takes it out, and what must come together before it returns. */

import type { ProbeRules } from "./rules.ts";
import type { Standing } from "./state.ts";
import type { ProbeReason } from "./verdict.ts";

/** What the standing goes by. */
export interface StandingView {
  readonly now: number;
  /** A check that may take the host out has failed. */
  readonly hasFailed: boolean;
  /** One that has failed was seen bad at this very look. */
  readonly isSeenBad: boolean;
  readonly hasWarned: boolean;
  /** A site is probed. */
  readonly hasProbe: boolean;
  /** The sites have shown that the host serves. */
  readonly isProven: boolean;
  /** What the sites have come to is no reason to keep a host back that has just started. */
  readonly mayStart: boolean;
  readonly webPaused: boolean;
  readonly drainLimitReached: boolean;
  readonly drainedByHand: boolean;
  /** Times that checks took the host out within the window of repeats. */
  readonly recentDrainCount: number;
}

type Next = { readonly standing: Standing; readonly reason: ProbeReason };

/** The standing after a look, and why. Never throws. */
export function nextStanding(before: Standing, view: StandingView, rules: ProbeRules): Next {
  if (view.drainedByHand) {
    return { standing: outOf(before, "by-hand", view.now, view.now), reason: "drained-by-hand" };
  }
  if (view.webPaused) {
    const holdUntilMs = view.now + rules.minHoldMs;
    return { standing: outOf(before, "web-paused", view.now, holdUntilMs), reason: "web-paused" };
  }
  return before.phase === "drained" ? stayOrReturn(before, view) : stayOrDrain(before, view, rules);
}

/** A host that is out stays so for the reason it has, until that is over. */
function outOf(
  before: Standing,
  cause: "by-hand" | "web-paused",
  sinceMs: number,
  holdUntilMs: number,
): Standing {
  return before.phase === "drained" ? before : { phase: "drained", sinceMs, cause, holdUntilMs };
}

function stayOrReturn(before: Standing & { readonly phase: "drained" }, view: StandingView): Next {
  if (view.hasFailed && view.hasProbe) return { standing: before, reason: "check-failed" };
  if (view.now < before.holdUntilMs) return { standing: before, reason: "minimum-hold" };
  if (!view.isProven) return { standing: before, reason: "waits-for-probe" };
  return { standing: { phase: "in", sinceMs: view.now }, reason: view.hasWarned ? "warned" : "all-well" };
}

function stayOrDrain(before: Standing, view: StandingView, rules: ProbeRules): Next {
  // A check that failed while the host had to stay in is no reason by itself once it may go: it is looked at again.
  if (view.isSeenBad && view.hasProbe && !view.drainLimitReached) {
    const holdUntilMs = view.now + minHoldMs(view.recentDrainCount + 1, rules);
    return {
      standing: { phase: "drained", sinceMs: view.now, cause: "checks", holdUntilMs },
      reason: "check-failed",
    };
  }
  // A host that policy keeps in is not kept back either: after a restart of the agent it is the same host.
  const isReady = view.hasFailed ? view.drainLimitReached : view.mayStart;
  const standing: Standing = before.phase === "starting" && isReady
    ? { phase: "in", sinceMs: view.now }
    : before;
  if (view.hasFailed && !view.hasProbe) return { standing, reason: "no-active-probe" };
  if (view.hasFailed && view.drainLimitReached) return { standing, reason: "drain-limit" };
  if (standing.phase === "starting") return { standing, reason: "not-proven-yet" };
  return { standing, reason: view.hasFailed || view.hasWarned ? "warned" : "all-well" };
}

/** The shortest time out: once, twice, three times that of the first, up to the cap. */
export function minHoldMs(drainCount: number, rules: Pick<ProbeRules, "minHoldMs" | "minHoldCapMs">): number {
  return Math.min(drainCount * rules.minHoldMs, rules.minHoldCapMs);
}
