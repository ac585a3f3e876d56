/**
 * Tells that the configuration cannot be used, and when it is mended: once each, however many agents end and start
 * in between. A small file in memory remembers for them, with the time of the last ALERT in it.
 */

import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import { writeAtomically } from "../atomic_file.ts";
import type { Clock } from "../clock.ts";
import { maybeText, removeQuietly } from "../quiet_file.ts";

/** Tells it. Nothing here throws. */
export interface ConfigAlarm {
  /** Whether it cannot be used now. */
  readonly isRaised: () => boolean;
  /** It cannot be used; the details say what applies and why. */
  readonly raise: (details: readonly string[]) => void;
  /** It can be used. */
  readonly clear: () => void;
}

/** What an alarm works with. */
export interface ConfigAlarmPorts {
  readonly clock: Pick<Clock, "wallMs">;
  /**
   * How long what an agent before told still counts as told; 0 for one that stays, which has an incident of its own to
   * keep open.
   */
  readonly toldForMs: number;
  readonly tell: (event: IncidentEvent) => void;
}

/** Opens the alarm with its file at a path, for one agent at a time. */
export function openConfigAlarm(path: string, { clock, toldForMs, tell }: ConfigAlarmPorts): ConfigAlarm {
  let raised = false;

  function wasToldLately(): boolean {
    const agoMs = clock.wallMs() - Number(maybeText(path) ?? NaN);
    return agoMs >= 0 && agoMs < toldForMs;
  }

  return {
    isRaised: () => raised,
    raise(details: readonly string[]): void {
      if (raised) return;
      raised = true;
      if (wasToldLately()) return;
      // Where it cannot be remembered it is told once more than needed.
      writeAtomically(path, String(clock.wallMs()), { durable: false });
      tell(plainEvent("config-unusable", details));
    },
    clear(): void {
      raised = false;
      if (removeQuietly(path)) tell(plainEvent("config-mended", []));
    },
  };
}
