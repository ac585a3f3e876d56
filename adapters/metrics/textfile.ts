/** Keeps the metrics in a file of node_exporter, for hosts where nothing else is to listen. */

import type { WriteOutcome } from "../atomic_file.ts";
import type { Clock } from "../clock.ts";

/** How often it is written: as often as most servers scrape. */
const EVERY_MS = 15_000;

/** What a textfile works with. */
export interface TextfilePorts {
  readonly clock: Pick<Clock, "sleep">;
  /** Whether there is to be one, now. */
  readonly isWanted: () => boolean;
  readonly render: () => string;
  /** Does not reject. */
  readonly write: (text: string) => Promise<WriteOutcome>;
  /** Removes what was written. Does not reject. */
  readonly remove: () => Promise<void>;
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/**
 * Writes it until the signal aborts. One that is not wanted is removed, also where an agent before left it, and at the end
 * too: node_exporter would tell of an agent that is gone as if it were there. A failure is told once. Does not reject.
 */
export async function keepTextfile(
  { clock, isWanted, render, write, remove, tellChange }: TextfilePorts,
  signal: AbortSignal,
): Promise<void> {
  let mayBeThere = true;

  async function takeAway(): Promise<void> {
    if (!mayBeThere) return;
    mayBeThere = false;
    await remove();
  }

  while (!signal.aborted) {
    if (isWanted()) {
      mayBeThere = true;
      const outcome = await write(render());
      tellChange("metrics file", outcome.kind === "failed" ? outcome.error : undefined);
    } else {
      await takeAway();
      tellChange("metrics file", undefined);
    }
    await clock.sleep(EVERY_MS, signal);
  }
  await takeAway();
}
