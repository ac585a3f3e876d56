/** The rules of a pause: what begins it is the ladder's, what ends it is here. */

import type { LadderRules } from "./rules.ts";
import type { Sample } from "./sample.ts";
import { type Hold, isLatched } from "./state.ts";
import type { LoadPercents } from "./tier.ts";
import { dropLatch, giveBack, type Turn } from "./turn.ts";

/** How old the last valid load of a hold may be. A minute of blindness is no ground to keep a site down. */
const BLIND_HOLD_MS = 60_000;

/** What ends the phase in which pausing is known not to help: a load this many times the one it was given up at. */
const FUTILE_RISE = { times: 3, of: 2 };

/** A hold whose web runs, because others started it or stopping failed, is over for what runs. */
export function observeHold(turn: Turn, { heldWeb }: Sample): void {
  if (turn.hold === undefined || heldWeb === undefined || heldWeb === "stopped") return;
  const isPart = heldWeb === "partly-started" || heldWeb === "partly-stopped";
  if (turn.hold.partlyStarted && isPart) return;
  turn.hold = isPart ? { ...turn.hold, partlyStarted: true } : undefined;
  if (heldWeb === "partly-started" || heldWeb === "running") turn.alerts.push("web-started-in-hold");
}

/** What a person asks for by hand is done at once, without a re-check; the load has no say in it. */
export function followHand(turn: Turn, { byHand, monotonicMs }: Sample): void {
  if (byHand === "hold") {
    if (turn.hold === undefined) turn.actions.push("pause-web");
    turn.hold = { ...turn.hold ?? holdFrom(monotonicMs), byHand: true };
    turn.reason = "held-by-hand";
  } else if (turn.hold?.byHand || (byHand === "resume" && turn.hold !== undefined)) {
    if (byHand === "resume") dropLatch(turn);
    if (isLatched(turn.markers)) turn.hold = { ...turn.hold, byHand: false };
    else giveBack(turn, "given-back-by-hand");
  }
}

/** A pause that begins now. */
export function holdFrom(sinceMs: number): Hold {
  return { sinceMs, overdueReported: false, byHand: false, partlyStarted: false };
}

/** Unknown never holds: a pause that has not seen a valid load for a minute ends. */
export function endBlindHold(turn: Turn, now: number, lastValidMs: number): void {
  if (turn.hold === undefined || turn.hold.byHand || now - lastValidMs < BLIND_HOLD_MS) return;
  dropLatch(turn);
  giveBack(turn, "load-lost-in-hold");
  turn.alerts.push("load-lost-in-hold");
}

/** A pause has a deadline: past it, the web is not what fills the host. Returns whether it was reached now. */
export function endOverdueHold(
  turn: Turn,
  hold: Hold,
  now: number,
  load: LoadPercents,
  rules: LadderRules,
): boolean {
  if (hold.byHand || rules.maxHoldMs === 0 || now - hold.sinceMs < rules.maxHoldMs) return false;
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
export function endFutilePhase(turn: Turn, futileAtPercent: number, load: LoadPercents): void {
  // In whole tenths of a percent, so that exactly one and a half times is not above it.
  const higherTenths = Math.round(load.higherPercent * 10);
  const futileTenths = Math.round(futileAtPercent * 10);
  if (higherTenths * FUTILE_RISE.of > futileTenths * FUTILE_RISE.times) turn.futileAtPercent = undefined;
}

/** Clears the pause latch once both loads are below the resume level, and gives the web back when nothing latches. */
export function openLatch(turn: Turn, load: LoadPercents, rules: LadderRules): void {
  if (load.higherPercent < rules.resumePercent) {
    turn.futileAtPercent = undefined;
    if (isLatched(turn.markers)) dropLatch(turn);
  }
  if (turn.hold !== undefined && !turn.hold.byHand && !isLatched(turn.markers)) {
    giveBack(turn, "below-resume");
  }
}
