/**
 * The executor of an armed agent: hands each action to what carries it out, and waits for none of it. A pass stays on time
 * while a service is slow to stop.
 */

import type { ActionName, Decision } from "../../mod/ladder/decision.ts";
import type { Marker } from "../../mod/ladder/state.ts";
import type { Clock } from "../clock.ts";
import { deadlineOf, waitAtMost } from "../deadline.ts";
import type { Executor, Outcome } from "../executor.ts";
import type { BlockKeeper } from "./block_keeper.ts";
import type { PauseCause, WebKeeper } from "./web_keeper.ts";

/**
 * How long ending runaways may hold up what comes after it: giving the web back among other things. Each process gets a
 * few seconds, and those of one host are ended together.
 */
const KILL_DEADLINE_MS = 15_000;

/** What carries out actions. */
export interface ArmedPorts {
  readonly clock: Clock;
  readonly web: Pick<WebKeeper, "pause" | "giveBack">;
  readonly block: Pick<BlockKeeper, "want">;
  /** Ends runaways; never rejects. */
  readonly kill: () => Promise<void>;
  /** Makes the marker files as they are to be. */
  readonly mark: (present: readonly Marker[]) => void;
}

/** An executor that acts, and its end. */
export interface ArmedExecutor {
  readonly execute: Executor;
  /** From now on nothing is ended or paused any more, also what was decided and waits for its turn. */
  readonly end: () => void;
  /** Waits for what waits for its turn, or until the time is over. */
  readonly settle: (deadlineMs: number) => Promise<void>;
}

/** Opens an executor that acts. */
export function createArmedExecutor({ clock, web, block, kill, mark }: ArmedPorts): ArmedExecutor {
  let killing: Promise<void> = Promise.resolve();
  let isEnding = false;

  function begin(action: ActionName, decision: Decision): string | undefined {
    switch (action) {
      case "crawler-block-on":
        block.want("on");
        return "crawlers are being blocked";
      case "crawler-block-off":
        block.want("off");
        return "crawlers are being served again";
      case "kill-runaways":
        killing = killing.then(() => isEnding ? undefined : waitAtMost(KILL_DEADLINE_MS, kill(), clock));
        return "runaways are being ended";
      case "pause-web":
        // Runaways first: what they hold back would only come again after the pause.
        killing = killing.then(() => isEnding ? undefined : web.pause(causeOf(decision)));
        return "the web is being paused";
      case "resume-web":
        killing = killing.then(() => web.giveBack());
        return "the web is being started";
      case "recheck":
      case "exempt-backup-iowait":
      case "no-pause-futile":
        return undefined;
    }
  }

  return {
    execute(decision: Decision): Promise<readonly Outcome[]> {
      mark(decision.markers);
      const outcomes: Outcome[] = [];
      for (const action of decision.actions) {
        const text = begin(action, decision);
        if (text !== undefined) outcomes.push({ action, text });
      }
      return Promise.resolve(outcomes);
    },
    end(): void {
      isEnding = true;
    },
    async settle(deadlineMs: number): Promise<void> {
      await deadlineOf(deadlineMs, killing);
    },
  };
}

function causeOf({ tier, load1Percent, load5Percent, overPercent, reason }: Decision): PauseCause {
  const higher = load1Percent === undefined || load5Percent === undefined
    ? undefined
    : Math.max(load1Percent, load5Percent);
  if (reason === "held-by-hand") {
    return { reason: "by-hand", text: "by hand", higherPercentAtStart: higher, expiresBootMs: undefined };
  }
  const text = `load 1m ${load1Percent?.toFixed(1)} %, 5m ${
    load5Percent?.toFixed(1)
  } % over ${overPercent} %`;
  return {
    reason: tier === "crit" ? "crit" : "max",
    text,
    higherPercentAtStart: higher,
    expiresBootMs: undefined,
  };
}
