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
import { hearWitness, type Witness } from "./witness.ts";
import { type ActionName, type Alert, type Decision, type Reason } from "./decision.ts";
import {
  type Hold,
  isLatched,
  type LadderState,
  type Marker,
  swapMarker,
  withMarker,
  withoutMarker,
} from "./state.ts";
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

/** How old the last valid load of a hold may be. A minute of blindness is no ground to keep a site down. */
const BLIND_HOLD_MS = 60_000;

/** What ends the phase in which pausing is known not to help: a load this many times the one it was given up at. */
const FUTILE_RISE = { times: 3, of: 2 };

/** What the next sample must hold: the load alone, or also what a drastic tier asks before it acts. */
export type Needs = "load" | "gate";

/** Result of one evaluation. */
export interface Step {
  readonly state: LadderState;
  readonly decision: Decision;
  readonly next: { readonly atMs: number; readonly needs: Needs };
}

/** An evaluation in the making: the part of the state that the rules change, and what they want. */
interface Turn {
  readonly actions: ActionName[];
  readonly alerts: Alert[];
  markers: readonly Marker[];
  crawlerBlock: boolean;
  hold: Hold | undefined;
  futileAtPercent: number | undefined;
  pending: ActingTier | undefined;
  reason: Reason;
  confirmed: boolean;
  witness: Witness | undefined;
}

/**
 * Evaluates one sample that is due. Pure: no clock, no I/O; the same state and sample always give the same step.
 *
 * @param state What the evaluation before left
 * @param sample The first sample at or after `state.nextDueMs`
 * @param rules Thresholds and times
 * @returns The new state, the decision with its actions in the order in which they are to be done, and when to look again
 */
export function step(state: LadderState, sample: Sample, rules: LadderRules): Step {
  const now = sample.monotonicMs;
  const turn: Turn = {
    markers: state.markers,
    actions: [],
    alerts: [],
    crawlerBlock: state.crawlerBlock,
    hold: state.hold,
    futileAtPercent: state.futileAtPercent,
    pending: undefined,
    reason: "below-spider",
    confirmed: false,
    witness: undefined,
  };
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
    tier = state.pending ?? tierOf(load, rules);
    if (state.pending !== undefined) recheck(turn, state.pending, sample, load, rules);
    else if (tier === "normal") standDown(turn, load, rules);
    else askForRecheck(turn, tier);
    if (overdue) turn.reason = "max-hold-reached";
  }
  const atMs = now + (turn.pending === undefined ? rules.intervalMs : rules.recheckMs);
  const gate = state.pending !== undefined && isDrastic(state.pending) ? sample.gate : undefined;
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
      phase: state.pending === undefined ? "pass" : "recheck",
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
    next: { atMs, needs: turn.pending !== undefined && isDrastic(turn.pending) ? "gate" : "load" },
  };
}

/** Unknown never holds: a pause that has not seen a valid load for a minute ends. */
function endBlindHold(turn: Turn, now: number, lastValidMs: number): void {
  if (turn.hold === undefined || now - lastValidMs < BLIND_HOLD_MS) return;
  dropLatch(turn);
  giveBack(turn, "load-lost-in-hold");
  turn.alerts.push("load-lost-in-hold");
}

/** A pause has a deadline: past it, the web is not what fills the host. Returns whether it was reached now. */
function endOverdueHold(
  turn: Turn,
  hold: Hold,
  now: number,
  load: LoadPercents,
  rules: LadderRules,
): boolean {
  if (rules.maxHoldMs === 0 || now - hold.sinceMs < rules.maxHoldMs) return false;
  if (rules.onMaxHold === "alert") {
    if (hold.overdueReported) return false;
    turn.hold = { ...hold, overdueReported: true };
  } else {
    dropLatch(turn);
    giveBack(turn, "max-hold-reached");
    turn.futileAtPercent = load.higherPercent;
  }
  turn.alerts.push("max-hold-reached");
  return true;
}

/** The web matters after all when, with it running, the load has risen well above what it was without. */
function endFutilePhase(turn: Turn, futileAtPercent: number, load: LoadPercents): void {
  // In whole tenths of a percent, so that exactly one and a half times is not above it.
  const higherTenths = Math.round(load.higherPercent * 10);
  const futileTenths = Math.round(futileAtPercent * 10);
  if (higherTenths * FUTILE_RISE.of > futileTenths * FUTILE_RISE.times) turn.futileAtPercent = undefined;
}

/** Every tier that acts is looked at again first. */
function askForRecheck(turn: Turn, tier: ActingTier): void {
  turn.pending = tier;
  turn.actions.push("recheck");
  turn.reason = "recheck-asked";
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
  if (turn.futileAtPercent === undefined) {
    turn.markers = withMarker(turn.markers, tier === "crit" ? "critical_load" : "max_load");
  }
  if (isExempt(sample.gate, rules)) {
    turn.actions.push("exempt-backup-iowait");
    turn.reason = "backup-io-bound";
    return;
  }
  if (tier === "crit") turn.actions.push("kill-runaways");
  if (turn.futileAtPercent !== undefined) {
    turn.actions.push("no-pause-futile");
    turn.reason = "hold-did-not-help";
  } else if (turn.hold === undefined) {
    turn.hold = { sinceMs: sample.monotonicMs, overdueReported: false };
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

/** Clears the pause latch once both loads are below the resume level, and gives the web back when nothing latches. */
function openLatch(turn: Turn, load: LoadPercents, rules: LadderRules): void {
  if (load.higherPercent < rules.resumePercent) {
    turn.futileAtPercent = undefined;
    if (isLatched(turn.markers)) dropLatch(turn);
  }
  if (turn.hold !== undefined && !isLatched(turn.markers)) giveBack(turn, "below-resume");
}

function dropLatch(turn: Turn): void {
  turn.markers = withoutMarker(withoutMarker(turn.markers, "critical_load"), "max_load");
}

function giveBack(turn: Turn, reason: Reason): void {
  turn.hold = undefined;
  turn.actions.push("resume-web");
  turn.reason = reason;
}
