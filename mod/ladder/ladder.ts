/**
 * The ladder: what to do about a load, one evaluation at a time.
 *
 * Highest tier first, one tier a pass, and every tier is looked at again after a cool-down before it acts, so that a spike
 * that has passed by then is ignored. Pausing needs one load over a threshold; giving back needs both below a lower one.
 *
 * The rules are those of BOA's load control, with three additions for hosts where nobody watches: an unknown load never
 * acts and never holds, a pause has a deadline, and a pause that did not help is not repeated.
 *
 * @see https://github.com/omega8cc/boa (aegir/tools/system/second.sh)
 */

import { maybeValue } from "../reading.ts";
import { isFrozen, watchLine } from "./frozen.ts";
import { hearWitness } from "./witness.ts";
import type { Decision } from "./decision.ts";
import {
  endBlindHold,
  endFutilePhase,
  endOverdueHold,
  followHand,
  holdFrom,
  observeHold,
  openLatch,
} from "./hold.ts";
import { beginTurn, type Turn } from "./turn.ts";
import { isDue, type LadderState, swapMarker, withMarker, withoutMarker } from "./state.ts";
import {
  type ActingTier,
  type DrasticTier,
  holdsTier,
  isDrastic,
  type LoadPercents,
  percentsOf,
  thresholdPercentOf,
  type Tier,
  tierOf,
} from "./tier.ts";
import type { LadderRules } from "./rules.ts";
import type { GateReadings, Sample } from "./sample.ts";

/** What the next sample must hold: the load alone, or also what a drastic tier asks before it acts. */
export type Needs = "load" | "gate";

/** Result of one evaluation. */
export interface Step {
  readonly state: LadderState;
  readonly decision: Decision;
  readonly next: { readonly atMs: number; readonly needs: Needs };
}

/**
 * Evaluates one sample. Pure: no clock, no I/O; the same state and sample always give the same step.
 *
 * @param state What the evaluation before left
 * @param sample The first sample at or after `state.nextDueMs`, or one before, because a person asks for something: then
 * a re-check that waits goes on to wait, unless the web is to be up
 * @param rules Thresholds and times
 * @returns The new state, the decision with its actions in the order in which they are to be done, and when to look again
 */
export function step(state: LadderState, sample: Sample, rules: LadderRules): Step {
  const now = sample.monotonicMs;
  const isEarly = !isDue(state, now);
  const pending = isEarly && sample.byHand === "resume" ? undefined : state.pending;
  const isRecheck = pending !== undefined && !isEarly;
  const turn = beginTurn(state);
  observeHold(turn, sample);
  followHand(turn, sample);
  const seen = maybeValue(sample.load);
  const lineWatch = seen?.line === undefined ? undefined : watchLine(state.lineWatch, seen, now);
  const frozen = lineWatch !== undefined && isFrozen(lineWatch);
  const load = seen === undefined || frozen ? undefined : percentsOf(seen);
  let tier: Tier | "unknown";
  if (load === undefined) {
    tier = "unknown";
    turn.reason = frozen ? "load-frozen" : "load-unknown";
    endBlindHold(turn, now, state.lastValidMs ?? now);
  } else {
    const overdue = turn.hold !== undefined && endOverdueHold(turn, turn.hold, now, load, rules);
    if (turn.futileAtPercent !== undefined) endFutilePhase(turn, turn.futileAtPercent, load);
    tier = pending ?? tierOf(load, rules);
    if (isRecheck) recheck(turn, pending, sample, load, rules);
    else if (pending !== undefined) goOnWaiting(turn, pending);
    else if (tier === "normal") standDown(turn, load, rules);
    else askForRecheck(turn, tier);
    if (overdue) turn.reason = "max-hold-reached";
  }
  const recheckAtMs = pending !== undefined && isEarly ? state.nextDueMs : now + rules.recheckMs;
  const atMs = turn.pending === undefined ? now + rules.intervalMs : recheckAtMs;
  const gate = isRecheck && isDrastic(pending) ? sample.gate : undefined;
  return {
    state: {
      nextDueMs: atMs,
      pending: turn.pending,
      markers: turn.markers,
      crawlerBlock: turn.crawlerBlock,
      hold: turn.hold,
      futileAtPercent: turn.futileAtPercent,
      lastValidMs: load === undefined ? state.lastValidMs : now,
      lineWatch,
    },
    decision: {
      monotonicMs: now,
      phase: isRecheck ? "recheck" : "pass",
      tier,
      confirmed: turn.confirmed,
      load1Percent: load?.load1Percent,
      load5Percent: load?.load5Percent,
      cpuCount: seen?.cpuCount,
      overPercent: tier === "normal" || tier === "unknown" ? undefined : thresholdPercentOf(tier, rules),
      actions: turn.actions,
      reason: turn.reason,
      alerts: turn.alerts,
      markers: turn.markers,
      crawlerBlock: turn.crawlerBlock,
      paused: turn.hold !== undefined,
      witness: turn.witness,
      backups: maybeValue(gate?.backups),
      iowaitPercent: maybeValue(gate?.iowaitPercent),
    },
    next: { atMs, needs: needsOf(turn) },
  };
}

/** What the next sample must hold, by the tier whose re-check that will be. */
export function needsOf({ pending }: Pick<LadderState, "pending">): Needs {
  return pending !== undefined && isDrastic(pending) ? "gate" : "load";
}

/** Every tier that acts is looked at again first. */
function askForRecheck(turn: Turn, tier: ActingTier): void {
  turn.pending = tier;
  turn.actions.push("recheck");
  turn.reason = "recheck-asked";
}

/** The re-check stays where it is: it answers to the pass that asked for it. */
function goOnWaiting(turn: Turn, pending: ActingTier): void {
  turn.pending = pending;
  if (turn.reason === "below-spider") turn.reason = "recheck-asked";
}

/** NORMAL: healthy, so give back what is held. */
function standDown(turn: Turn, load: LoadPercents, rules: LadderRules): void {
  turn.markers = swapMarker(turn.markers, "spider_load", "normal_load");
  openLatch(turn, load, rules);
  if (turn.crawlerBlock) {
    turn.crawlerBlock = false;
    turn.actions.push("crawler-block-off");
  }
}

function recheck(turn: Turn, tier: ActingTier, sample: Sample, load: LoadPercents, rules: LadderRules): void {
  if (!holdsTier(tier, load, rules)) {
    turn.reason = "spike-passed";
    return;
  }
  turn.confirmed = true;
  turn.reason = "confirmed";
  if (isDrastic(tier)) shed(turn, tier, sample, rules);
  else blockCrawlers(turn, load, rules);
}

/** SPIDER: crawlers wait, people are served. */
function blockCrawlers(turn: Turn, load: LoadPercents, rules: LadderRules): void {
  turn.markers = swapMarker(turn.markers, "normal_load", "spider_load");
  if (turn.crawlerBlock) turn.reason = "already-done";
  else {
    turn.crawlerBlock = true;
    turn.actions.push("crawler-block-on");
  }
  openLatch(turn, load, rules);
}

/** MAX and CRIT: the web pauses, and at CRIT runaways end before it does. */
function shed(turn: Turn, tier: DrasticTier, sample: Sample, rules: LadderRules): void {
  turn.witness = hearWitness(sample);
  if (rules.witness === "require" && turn.witness.cpu !== "wanted") {
    turn.reason = "no-cpu-demand";
    return;
  }
  turn.markers = withoutMarker(withoutMarker(turn.markers, "normal_load"), "spider_load");
  const mayPause = turn.futileAtPercent === undefined && sample.byHand !== "resume";
  if (mayPause) turn.markers = withMarker(turn.markers, tier === "crit" ? "critical_load" : "max_load");
  if (isExempt(sample.gate, rules)) {
    turn.actions.push("exempt-backup-iowait");
    turn.reason = "backup-io-bound";
    return;
  }
  if (tier === "crit") turn.actions.push("kill-runaways");
  if (sample.byHand === "resume") turn.reason = "kept-up-by-hand";
  else if (turn.futileAtPercent !== undefined) {
    turn.actions.push("no-pause-futile");
    turn.reason = "hold-did-not-help";
  } else if (turn.hold === undefined || turn.hold.partlyStarted) {
    // Of what was never started the deadline stays: else whoever starts a part now and then would keep the rest down.
    turn.hold = { ...turn.hold ?? holdFrom(sample.monotonicMs), partlyStarted: false };
    turn.actions.push("pause-web");
  } else if (tier === "max") turn.reason = "already-done";
}

/** A running backup exempts a load that waits for the disk. What is unknown exempts nothing. */
function isExempt(gate: GateReadings | undefined, rules: LadderRules): boolean {
  const backups = maybeValue(gate?.backups);
  const iowaitPercent = maybeValue(gate?.iowaitPercent);
  if (backups === undefined || iowaitPercent === undefined) return false;
  return backups.length > 0 && iowaitPercent >= rules.iowaitMinPercent;
}
