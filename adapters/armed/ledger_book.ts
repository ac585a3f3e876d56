/** The ledger in memory and on disk, always the same: a change counts once it is written. */

import type { Ledger } from "../../mod/hold/ledger.ts";
import type { Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";

/** The ledger of a running agent. */
export interface LedgerBook {
  /** What is written. */
  readonly ledger: () => Ledger;
  /**
   * Changes the ledger, one change after another. A change that cannot be written does not count: whoever wanted to
   * act on it must not.
   *
   * @returns Failed when it could not be written. Never rejects
   */
  readonly change: (update: (ledger: Ledger) => Ledger) => Promise<Reading<void>>;
}

/** Opens a book on a ledger that was read or is new. */
export function openLedgerBook(
  first: Ledger,
  clock: Clock,
  write: (ledger: Ledger) => Promise<Reading<void>>,
): LedgerBook {
  let current = first;
  let last: Promise<unknown> = Promise.resolve();
  return {
    ledger: () => current,
    change(update: (ledger: Ledger) => Ledger): Promise<Reading<void>> {
      const change = last.then(async () => {
        const next = {
          ...update(current),
          writtenBootMs: clock.monotonicMs(),
          writtenWallMs: clock.wallMs(),
        };
        const written = await write(next);
        if (written.kind === "ok") current = next;
        return written;
      });
      last = change;
      return change;
    },
  };
}
