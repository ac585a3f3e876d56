/**
 * Keeps the web tier as it is wanted: paused or up. Works in the background, so that no pass waits for a service that is
 * slow to stop, and does not give up starting what it stopped.
 *
 * The order of things is the safety of it: what runs is written to the ledger before the first of it is stopped, and leaves
 * the ledger when it is seen to run again.
 */

import type { LedgerHold } from "../../mod/hold/ledger.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import type { HeldWeb } from "../../mod/ladder/sample.ts";
import { type Reading, whyMissing } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import { waitAtMost } from "../deadline.ts";
import type { LedgerBook } from "./ledger_book.ts";

/** What became of one service. */
export interface ServiceOutcome {
  readonly service: ServiceRef;
  readonly ok: boolean;
  /** After a start that failed: it is not installed any more, or somebody has masked it. */
  readonly isGone?: boolean;
  /** For people, one line. */
  readonly text: string;
}

/** What serves the web now. */
export interface RunningWeb {
  /** The services of this host of which anything runs, and that are ours to stop. */
  readonly services: readonly ServiceRef[];
  /** What also runs and is left alone, and why; one line each, for people. */
  readonly leftAlone: readonly string[];
}

/** Stops and starts services, and looks which of them run. Nothing here rejects. */
export interface WebTierPort {
  readonly findRunning: () => Promise<Reading<RunningWeb>>;
  /** Those of them that have a master, so that somebody or something has started them. */
  readonly findStarted: () => Promise<Reading<readonly ServiceRef[]>>;
  readonly stop: (services: readonly ServiceRef[]) => Promise<readonly ServiceOutcome[]>;
  readonly start: (services: readonly ServiceRef[]) => Promise<readonly ServiceOutcome[]>;
}

/** What happened, for the log, the mail and the hooks. */
export type WebEvent =
  | {
    readonly kind: "paused";
    readonly outcomes: readonly ServiceOutcome[];
    readonly leftAlone: readonly string[];
  }
  | { readonly kind: "pause-failed"; readonly text: string }
  | { readonly kind: "started"; readonly outcomes: readonly ServiceOutcome[]; readonly attempt: number }
  | { readonly kind: "start-failed"; readonly outcomes: readonly ServiceOutcome[]; readonly attempt: number }
  | { readonly kind: "started-by-others"; readonly services: readonly ServiceRef[] }
  | { readonly kind: "ledger-failed"; readonly text: string };

/** What a pause is for. */
export type PauseCause = Pick<LedgerHold, "reason" | "text" | "higherPercentAtStart" | "expiresBootMs">;

/** Keeps the web as it is wanted. */
export interface WebKeeper {
  /** Wants the web paused. Done in the background. */
  readonly pause: (cause: PauseCause) => void;
  /** Wants the web up again. Done in the background, and tried until it is. */
  readonly giveBack: () => void;
  /** How a hold looks on the host now; undefined when nothing is held or while something is being done about it. */
  readonly look: () => Promise<HeldWeb | undefined>;
  /** Waits until nothing is left to do, or the time is over. Tells whether nothing is left. */
  readonly settle: (deadlineMs: number) => Promise<boolean>;
}

/** What a keeper works with. */
export interface WebKeeperPorts {
  readonly clock: Clock;
  readonly tier: WebTierPort;
  readonly book: LedgerBook;
  readonly tell: (event: WebEvent) => void;
  /** Marks for others that services are being stopped right now. */
  readonly guard: (on: boolean) => void;
}

/** Waits before another try to start; the last one is kept. Slower than the five starts in ten seconds that systemd allows. */
const RETRY_MS = [5_000, 10_000, 20_000, 40_000, 60_000] as const;

/** Tries after which what is gone is given up, about six minutes: a package that is replaced is gone for some of them. */
const GONE_TRIES = 10;

/** Opens a keeper on what the ledger holds: an unfinished stop or start is taken up again. */
export function openWebKeeper({ clock, tier, book, tell, guard }: WebKeeperPorts): WebKeeper {
  const held = book.ledger().hold;
  let wanted: "up" | "paused" = held === undefined || held.phase === "starting" ? "up" : "paused";
  let cause: PauseCause | undefined = held;
  let isSettled = held === undefined || held.phase === "held";
  let pauseFailed = false;
  /** Names of services that the last pause could not stop. */
  let unstopped: ReadonlySet<string> = new Set();
  let attempts = 0;
  /** How often something was begun: what was seen before that says nothing any more. */
  let begun = 0;
  /** Ends with the loop in one step: a wish that came between two would be nobody's. */
  let isWorking = false;
  let working: Promise<void> = Promise.resolve();
  let wake = new AbortController();
  if (!isSettled) begin();

  function begin(): void {
    isSettled = false;
    begun += 1;
    wake.abort();
    wake = new AbortController();
    if (!isWorking) working = work();
  }

  async function work(): Promise<void> {
    isWorking = true;
    while (!isSettled) {
      const { signal } = wake;
      if (wanted === "paused") await stopAll();
      else if (book.ledger().hold === undefined) isSettled = true;
      else if (!await startAll()) {
        await clock.sleep(RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] ?? 0, signal);
      }
    }
    isWorking = false;
  }

  async function stopAll(): Promise<void> {
    isSettled = true;
    const running = await tier.findRunning();
    if (running.kind !== "ok") {
      failPause(`Cannot see what serves the web: ${whyMissing(running)}`);
      return;
    }
    const { services, leftAlone } = running.value;
    const now = clock.monotonicMs();
    const written = await book.change((ledger) => ({
      ...ledger,
      hold: {
        sinceBootMs: now,
        sinceWallMs: clock.wallMs(),
        ...(ledger.hold?.phase === "starting" ? cause : ledger.hold ?? cause) ??
          { reason: "max" as const, text: "", higherPercentAtStart: undefined, expiresBootMs: undefined },
        services: mergeServices(stillDown(ledger.hold), services),
        phase: "stopping" as const,
        startedAgain: [],
      },
    }));
    if (written.kind !== "ok") {
      failPause(`Nothing is stopped, because the ledger cannot be written: ${whyMissing(written)}`);
      return;
    }
    guard(true);
    const outcomes = await tier.stop(services);
    guard(false);
    unstopped = new Set(outcomes.filter(({ ok }) => !ok).map(({ service }) => service.name));
    await note((hold) => ({ ...hold, phase: "held" }));
    tell({ kind: "paused", outcomes, leftAlone });
  }

  /** Starts what is not up yet. Tells whether all is. */
  async function startAll(): Promise<boolean> {
    attempts += 1;
    await note((hold) => ({ ...hold, phase: "starting" }));
    const missing = stillDown(book.ledger().hold);
    const outcomes = (await tier.start(missing)).map(settleGone);
    const up = outcomes.filter(({ ok }) => ok).map(({ service }) => service.name);
    const isComplete = missing.every(({ name }) => up.includes(name));
    if (isComplete) await changeLedger((ledger) => ({ ...ledger, hold: undefined }));
    else await note((before) => ({ ...before, startedAgain: [...new Set([...before.startedAgain, ...up])] }));
    tell({ kind: isComplete ? "started" : "start-failed", outcomes, attempt: attempts });
    if (isComplete && wanted === "up") isSettled = true;
    return isComplete;
  }

  /** What is not installed any more, or is masked, has been taken away by somebody, and cannot be given back. */
  function settleGone(outcome: ServiceOutcome): ServiceOutcome {
    if (outcome.ok || !outcome.isGone || attempts < GONE_TRIES) return outcome;
    return { ...outcome, ok: true, text: `${outcome.text}; given up, because somebody took it away` };
  }

  function failPause(text: string): void {
    pauseFailed = true;
    wanted = "up";
    // What an earlier pause stopped is still to be started.
    isSettled = book.ledger().hold === undefined;
    tell({ kind: "pause-failed", text });
  }

  async function note(update: (hold: LedgerHold) => LedgerHold): Promise<void> {
    await changeLedger((ledger) => ({ ...ledger, hold: ledger.hold && update(ledger.hold) }));
  }

  /** A change that describes what was done already: it is told when it cannot be written, and work goes on. */
  async function changeLedger(update: Parameters<LedgerBook["change"]>[0]): Promise<void> {
    const written = await book.record(update);
    if (written.kind !== "ok") tell({ kind: "ledger-failed", text: whyMissing(written) ?? "" });
  }

  return {
    pause(newCause: PauseCause): void {
      wanted = "paused";
      cause = newCause;
      pauseFailed = false;
      begin();
    },
    giveBack(): void {
      if (wanted === "up" && book.ledger().hold === undefined) return;
      wanted = "up";
      attempts = 0;
      begin();
    },
    async look(): Promise<HeldWeb | undefined> {
      if (pauseFailed) {
        pauseFailed = false;
        return "not-stopped";
      }
      const hold = book.ledger().hold;
      if (isWorking || wanted !== "paused" || hold === undefined) return undefined;
      const begunBefore = begun;
      const up = await tier.findStarted();
      if (up.kind !== "ok" || begun !== begunBefore) return undefined;
      const names = new Set(up.value.map(({ name }) => name));
      const running = hold.services.filter(({ name }) => names.has(name));
      // It got its signals: it may end as soon as a disk answers, and must be started again then.
      const started = running.filter(({ name }) => !unstopped.has(name));
      if (started.length === 0) return running.length === 0 ? "stopped" : "partly-stopped";
      const rest = hold.services.filter((service) => !started.includes(service));
      tell({ kind: "started-by-others", services: started });
      // Whoever started it did not start what systemd had stopped with it.
      const leading = started.filter(({ boundUnits = [] }) => boundUnits.length > 0);
      if (leading.length > 0) void tier.start(leading);
      if (rest.length === 0) wanted = "up";
      await changeLedger((ledger) => ({
        ...ledger,
        hold: rest.length === 0 || ledger.hold === undefined ? undefined : { ...ledger.hold, services: rest },
      }));
      return rest.length === 0 ? "running" : "partly-started";
    },
    async settle(deadlineMs: number): Promise<boolean> {
      await waitAtMost(deadlineMs, working, clock);
      return !isWorking;
    },
  };
}

/** What an earlier pause stopped and has not been seen to run since; what ran again and does not now was stopped by others. */
function stillDown(hold: LedgerHold | undefined): readonly ServiceRef[] {
  return hold?.services.filter(({ name }) => !hold.startedAgain.includes(name)) ?? [];
}

/**
 * Services of both lists, each once; the newer description counts. What an earlier pause stopped with a service may not
 * have been started again yet, so that it is not in the newer one.
 */
function mergeServices(held: readonly ServiceRef[], running: readonly ServiceRef[]): readonly ServiceRef[] {
  const names = new Set(running.map(({ name }) => name));
  const both = running.map((service): ServiceRef => {
    const before = held.find(({ name }) => name === service.name)?.boundUnits;
    if (before === undefined) return service;
    return { ...service, boundUnits: [...new Set([...before, ...service.boundUnits ?? []])] };
  });
  return [...held.filter(({ name }) => !names.has(name)), ...both];
}
