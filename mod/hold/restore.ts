/** What an agent that starts makes of the ledger that another one left. */

import { INITIAL_STATE, type LadderState, MARKERS } from "../ladder/state.ts";
import type { Ledger } from "./ledger.ts";
import type { ServiceRef } from "./service_ref.ts";

/** Where to begin. */
export interface Restored {
  /** The ledger to go on with. */
  readonly ledger: Ledger;
  /** The state of the ladder to go on with. */
  readonly state: LadderState;
  /** For people, one line; undefined when there was nothing to take up. */
  readonly note: string | undefined;
}

/** The boot that the agent runs in. */
export interface Boot {
  readonly id: string;
  readonly nowBootMs: number;
  readonly nowWallMs: number;
}

/** A ledger may be from a little later than now: the clocks of two processes count from two looks at the time since boot. */
const CLOCK_SLACK_MS = 10_000;

/**
 * A stop that was under way is gone on with for so long: stopping takes less than a minute, and an agent that was killed is
 * revived within one. After that a person may have started what is not stopped yet, or the load may have passed.
 */
const STOPPING_MS = 120_000;

/**
 * Takes up a ledger. What was stopped stays on the list, whatever else has changed, until it has been seen to run again.
 *
 * - of this boot, stopped or being stopped: the hold goes on as if the agent had never been away; after long nothing more is
 *   stopped before the load has been looked at
 * - of this boot, being started: starting goes on
 * - of another boot, or with times that are still to come, so that nobody knows when it ends: what was stopped is started; the host may have done so itself, which is seen then. What a person
 *   asked for is over
 *
 * @param ledger Undefined when there is none
 */
export function restore(ledger: Ledger | undefined, boot: Boot): Restored {
  if (ledger === undefined) {
    return { ledger: emptyLedger(boot), state: INITIAL_STATE, note: undefined };
  }
  const isOtherBoot = ledger.bootId !== boot.id;
  if (isOtherBoot || ledger.writtenBootMs > boot.nowBootMs + CLOCK_SLACK_MS) {
    const { hold, crawlerBlock } = ledger;
    const kept = hold && { ...hold, sinceBootMs: 0, expiresBootMs: undefined, phase: "starting" as const };
    return {
      ledger: { ...emptyLedger(boot), hold: kept, crawlerBlock },
      state: { ...INITIAL_STATE, crawlerBlock: crawlerBlock?.on === true && crawlerBlock.ours },
      note: hold &&
        `${isOtherBoot ? "the host was booted" : "the time since boot went back"} during a pause: ${
          namesOf(hold)
        } will be seen to run`,
    };
  }
  const { hold } = ledger;
  const isPaused = hold !== undefined && hold.phase !== "starting";
  const state: LadderState = {
    ...INITIAL_STATE,
    markers: isPaused ? markersOf(ledger) : [],
    crawlerBlock: ledger.crawlerBlock?.on === true && ledger.crawlerBlock.ours,
    hold: isPaused
      ? {
        sinceMs: hold.sinceBootMs,
        overdueReported: ledger.ladder?.hold?.overdueReported ?? false,
        byHand: hold.reason === "by-hand",
        partlyStarted: false,
      }
      : undefined,
    futileAtPercent: ledger.ladder?.futileAtPercent,
    // Agents that end one after the other without a load must not each begin a minute of their own.
    lastValidMs: isPaused ? ledger.ladder?.lastValidBootMs ?? boot.nowBootMs : undefined,
  };
  const note = hold && `${isPaused ? "a pause goes on" : "starting goes on"}: ${namesOf(hold)}`;
  if (hold?.phase !== "stopping" || boot.nowBootMs - ledger.writtenBootMs < STOPPING_MS) {
    return { ledger, state, note };
  }
  return { ledger: { ...ledger, hold: { ...hold, phase: "held" } }, state, note };
}

/** A ledger that holds nothing. */
export function emptyLedger({ id, nowBootMs, nowWallMs }: Boot): Ledger {
  return {
    bootId: id,
    writtenBootMs: nowBootMs,
    writtenWallMs: nowWallMs,
    hold: undefined,
    crawlerBlock: undefined,
    ladder: undefined,
    byHand: undefined,
    drain: undefined,
  };
}

/** The markers of a pause: those that were written, and at least the one of its tier. */
function markersOf({ hold, ladder }: Ledger): LadderState["markers"] {
  const own = hold?.reason === "crit" ? "critical_load" : hold?.reason === "max" ? "max_load" : undefined;
  return MARKERS.filter((marker) => marker === own || ladder?.markers.includes(marker));
}

function namesOf({ services }: NonNullable<Ledger["hold"]>): string {
  return services.length === 0 ? "nothing was running" : services.map(({ name }) => name).join(", ");
}

/** A ledger whose pause is to end, whatever it was up to. */
export function withHoldEnding(ledger: Ledger | undefined): Ledger | undefined {
  return ledger?.hold === undefined ? ledger : { ...ledger, hold: { ...ledger.hold, phase: "starting" } };
}

/**
 * A ledger for an agent that finds the crawler block on, with a sign that it is ours, as after a boot: it goes off as one
 * does that is remembered. What is known to be off was switched on by a person since, and stays.
 *
 * @param ledger Undefined when there is none
 */
export function withBlockFound(ledger: Ledger | undefined, boot: Boot): Ledger {
  const known = ledger ?? emptyLedger(boot);
  const { crawlerBlock } = known;
  if (crawlerBlock?.on === false || crawlerBlock?.ours === true) return known;
  return { ...known, crawlerBlock: { on: true, ours: true, sinceWallMs: boot.nowWallMs } };
}

/** A ledger for one that could not be read, and may have held anything: these services are started. */
export function rebuiltLedger(boot: Boot, services: readonly ServiceRef[]): Ledger {
  return {
    ...emptyLedger(boot),
    hold: {
      reason: "max",
      text: "rebuilt, because the ledger could not be read",
      sinceBootMs: boot.nowBootMs,
      sinceWallMs: boot.nowWallMs,
      higherPercentAtStart: undefined,
      services,
      phase: "starting",
      startedAgain: [],
      expiresBootMs: undefined,
    },
  };
}
