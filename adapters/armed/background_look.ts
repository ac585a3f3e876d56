/** A look at the host that delays nobody: a service manager that hangs takes seconds to say nothing. */

import type { HeldWeb } from "../../mod/ladder/sample.ts";
import { deadlineOf } from "../deadline.ts";

/** Looks one at a time. */
export interface BackgroundLook {
  /** What is seen now, or what the look before saw, which took too long; undefined when neither is there yet. */
  readonly take: () => Promise<HeldWeb | undefined>;
  /** Forgets what was seen and not taken: something is being done that changes it. */
  readonly forget: () => void;
}

/**
 * Opens the look.
 *
 * @param look Never rejects
 * @param deadlineMs How long it is waited for
 */
export function openBackgroundLook(
  look: () => Promise<HeldWeb | undefined>,
  deadlineMs: number,
): BackgroundLook {
  let looking: Promise<void> | undefined;
  let seen: HeldWeb | undefined;
  return {
    async take(): Promise<HeldWeb | undefined> {
      looking ??= look().then((now) => void (seen = now)).finally(() => looking = undefined);
      await deadlineOf(deadlineMs, looking);
      const taken = seen;
      seen = undefined;
      return taken;
    },
    forget(): void {
      seen = undefined;
    },
  };
}
