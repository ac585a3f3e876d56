/**
 * The ledger in memory and on disk. A change that is to be acted on counts once it is written; one that says what has been
 * done already counts at once, and is written as soon as that is possible.
 */

import type { Ledger } from "../../mod/hold/ledger.ts";
import type { Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";

/** The ledger of a running agent. */
export interface LedgerBook {
  /** What is written, or is to be. */
  readonly ledger: () => Ledger;
  /**
   * Changes the ledger, one change after another. A change that cannot be written does not count: whoever wanted to
   * act on it must not.
   *
   * @returns Failed when it could not be written. Never rejects
   */
  readonly change: (update: (ledger: Ledger) => Ledger) => Promise<Reading<void>>;
  /**
   * Writes down what has been done already. It counts also when it cannot be written, and is written with the next change.
   *
   * @returns Failed when it could not be written yet. Never rejects
   */
  readonly record: (update: (ledger: Ledger) => Ledger) => Promise<Reading<void>>;
  /** Whether something that counts has not been written yet. */
  readonly isBehind: () => boolean;
}

/** Opens a book on a ledger that was read or is new. */
export function openLedgerBook(
  first: Ledger,
  clock: Clock,
  write: (ledger: Ledger) => Promise<Reading<void>>,
): LedgerBook {
  let current = first;
  let isBehind = false;
  let last: Promise<unknown> = Promise.resolve();

  function attempt(update: (ledger: Ledger) => Ledger, counts: boolean): Promise<Reading<void>> {
    const change = last.then(async () => {
      const next = {
        ...update(current),
        writtenBootMs: clock.monotonicMs(),
        writtenWallMs: clock.wallMs(),
      };
      const written = await write(next);
      const isWritten = written.kind === "ok";
      if (isWritten || counts) current = next;
      isBehind = !isWritten && (isBehind || counts);
      return written;
    });
    last = change;
    return change;
  }

  return {
    ledger: () => current,
    change: (update) => attempt(update, false),
    record: (update) => attempt(update, true),
    isBehind: () => isBehind,
  };
}
