/**
 * Keeps the crawler block as it is wanted. Two reloads of nginx in a row leave two generations of old workers behind, so
 * there is a cool-down between them, and what is wanted at its end is what is done. A block that could not be taken away,
 * as while the configuration of nginx is broken, is tried again until it is gone.
 */

import type { Clock } from "../clock.ts";
import { waitAtMost } from "../deadline.ts";

/** What became of a change of the block. */
export interface BlockChange {
  readonly wanted: "on" | "off";
  readonly ok: boolean;
  /** Whether anything was changed. */
  readonly changed: boolean;
  /** Whether it failed and leaves crawlers blocked that are to be served, so that it must be tried again. */
  readonly isLeft: boolean;
  /** Whether it stays as it is, because it is on and somebody else has switched it on. */
  readonly isOthers: boolean;
  /** For people, one line. */
  readonly text: string;
}

/** Keeps the block as it is wanted. */
export interface BlockKeeper {
  /** Wants the block on or off. Done in the background. */
  readonly want: (wanted: "on" | "off") => void;
  /** Waits until nothing is left to do, or the time is over. Tells whether nothing is left. */
  readonly settle: (deadlineMs: number) => Promise<boolean>;
}

/** What a keeper works with. */
export interface BlockKeeperPorts {
  readonly clock: Clock;
  /** Changes the block, absolutely; never rejects. */
  readonly set: (wanted: "on" | "off") => Promise<BlockChange>;
  readonly tell: (change: BlockChange) => void;
  /** Time between two reloads. */
  readonly coolDownMs: number;
}

/** From one try to take the block away to the next: a person mends a configuration in minutes, and each try tests it. */
const RETRY_MS = 60_000;

/** Opens a keeper; it leaves the block as it is until something is wanted. */
export function openBlockKeeper({ clock, set, tell, coolDownMs }: BlockKeeperPorts): BlockKeeper {
  let wanted: "on" | "off" | undefined;
  /** What is being done: who wants just that has nothing more to wait for. */
  let doing: "on" | "off" | undefined;
  /** Ends with the loop in one step: a wish that came between two would be nobody's. */
  let isWorking = false;
  let working: Promise<void> = Promise.resolve();
  let lastChangeMs = -Infinity;
  let wasLeft = false;
  let retry = new AbortController();

  async function work(): Promise<void> {
    isWorking = true;
    while (wanted !== undefined) {
      await clock.sleep(lastChangeMs + coolDownMs - clock.monotonicMs());
      const next = wanted;
      wanted = undefined;
      doing = next;
      const change = await set(next);
      doing = undefined;
      if (change.changed) lastChangeMs = clock.monotonicMs();
      if (!change.isLeft || !wasLeft) tell(change);
      wasLeft = change.isLeft;
      if (change.isLeft) void tryAgain(next, retry.signal);
    }
    isWorking = false;
  }

  /** Wants the same once more, unless something else is wanted before. */
  async function tryAgain(next: "on" | "off", signal: AbortSignal): Promise<void> {
    await clock.sleep(RETRY_MS, signal);
    if (!signal.aborted) want(next);
  }

  function want(next: "on" | "off"): void {
    retry.abort();
    retry = new AbortController();
    wanted = next === doing ? undefined : next;
    if (!isWorking) working = work();
  }

  return {
    want,
    async settle(deadlineMs: number): Promise<boolean> {
      await waitAtMost(deadlineMs, working, clock);
      return !isWorking;
    },
  };
}
