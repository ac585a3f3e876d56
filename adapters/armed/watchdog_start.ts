/**
 * Leaves the start of the web to the watchdogs of the host, as `[web] resume = watchdog` asks for, and sees to it that they do:
 * what nobody starts is started here in the end.
 */

import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import type { Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import type { ServiceOutcome } from "./web_keeper.ts";

/** BOA's watchdogs look each minute, and may be slow on a host that was overloaded. */
const PATIENCE_MS = 180_000;

const LOOK_MS = 2_000;

/** What leaving it to others takes. */
export interface WatchdogStartPorts {
  readonly clock: Clock;
  /** The services that have a master. Never rejects. */
  readonly findStarted: () => Promise<Reading<readonly ServiceRef[]>>;
  /** Starts services. Never rejects. */
  readonly start: (services: readonly ServiceRef[]) => Promise<readonly ServiceOutcome[]>;
}

/** Leaves starts to others. */
export interface WatchdogStart {
  /** Waits until others have started these services, and starts what they have not. Never rejects. */
  readonly start: (services: readonly ServiceRef[]) => Promise<readonly ServiceOutcome[]>;
  /** Waits no longer, because the web is paused anew: what is not up yet was not started. */
  readonly interrupt: () => void;
  /** Waits no longer, now and from now on, because this agent ends: the watchdogs stay. */
  readonly leave: () => void;
}

/** Opens it. */
export function openWatchdogStart({ clock, findStarted, start }: WatchdogStartPorts): WatchdogStart {
  let wait = new AbortController();
  let isLeft = false;

  return {
    async start(services): Promise<readonly ServiceOutcome[]> {
      wait = new AbortController();
      const { signal } = wait;
      const endMs = clock.monotonicMs() + PATIENCE_MS;
      while (true) {
        const found = await findStarted();
        const names = new Set(found.kind === "ok" ? found.value.map(({ name }) => name) : []);
        const isUp = ({ name }: ServiceRef): boolean => names.has(name);
        const up = services.filter(isUp).map((service) => ({ service, ok: true, text: "started by others" }));
        const missing = services.filter((service) => !isUp(service));
        if (missing.length === 0 || isLeft || signal.aborted) {
          const text = "left to the host's watchdogs";
          return [...up, ...missing.map((service) => ({ service, ok: isLeft, text }))];
        }
        if (clock.monotonicMs() >= endMs) {
          const late = `not started by the host's watchdogs within ${PATIENCE_MS / 60_000} minutes: `;
          return [...up, ...(await start(missing)).map((one) => ({ ...one, text: `${late}${one.text}` }))];
        }
        await clock.sleep(LOOK_MS, signal);
      }
    },
    interrupt: () => wait.abort(),
    leave(): void {
      isLeft = true;
      wait.abort();
    },
  };
}
