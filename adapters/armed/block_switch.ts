/**
 * Switches the crawler block for the agent, and keeps in the ledger whose it is: one that somebody else has switched on
 * stays on.
 */

import type { LedgerCrawlerBlock } from "../../mod/hold/ledger.ts";
import type { Clock } from "../clock.ts";
import type { BlockOutcome, BlockState } from "../crawler_block.ts";
import type { BlockChange } from "./block_keeper.ts";
import type { LedgerBook } from "./ledger_book.ts";

/** Switches the block, and knows whose it is. */
export interface BlockSwitch {
  /** Switches it, absolutely. Never rejects. */
  readonly set: (wanted: "on" | "off") => Promise<BlockChange>;
  /** Whether a block is on that this agent may take away. Never throws. */
  readonly isToGo: () => boolean;
}

/** What a switch works with. */
export interface BlockSwitchPorts {
  readonly clock: Pick<Clock, "wallMs">;
  readonly book: Pick<LedgerBook, "ledger" | "record">;
  /** Switches the block, whosever it is; never rejects. */
  readonly set: (wanted: "on" | "off") => Promise<BlockOutcome>;
  /** Which of its files is there; never throws. */
  readonly read: () => BlockState;
  /** Whether the block says itself that it is ours; never throws. */
  readonly isMarked: () => boolean;
}

/** Opens a switch. */
export function openBlockSwitch({ clock, book, set, read, isMarked }: BlockSwitchPorts): BlockSwitch {
  /** Whether the block that is on, as far as we know, was switched on by us. */
  function wasOurs(): boolean {
    const block = book.ledger().crawlerBlock;
    return block?.on === true && block.ours;
  }

  function keep(crawlerBlock: LedgerCrawlerBlock | undefined): Promise<unknown> {
    return book.record((ledger) => ({ ...ledger, crawlerBlock }));
  }

  return {
    isToGo: () => book.ledger().crawlerBlock?.on === true && (wasOurs() || isMarked()),
    async set(wanted: "on" | "off"): Promise<BlockChange> {
      if (wanted === "off" && read() === "on" && !wasOurs() && !isMarked()) {
        const text = "crawler block stays on: somebody else has switched it on";
        return { wanted, ok: true, changed: false, isLeft: false, isOthers: true, text };
      }
      const before = book.ledger().crawlerBlock;
      const ours = wasOurs();
      // Before the file gets its name: an agent that is killed while nginx reloads leaves a block that the next one knows.
      const isOurDoing = wanted === "on" && read() === "off";
      if (isOurDoing) await keep({ on: true, ours: true, sinceWallMs: clock.wallMs() });
      const { kind, state, text } = await set(wanted);
      const ok = kind !== "failed";
      const changed = kind !== "unchanged";
      if (ok) {
        await keep({ on: wanted === "on", ours: changed || ours, sinceWallMs: clock.wallMs() });
      } else if (isOurDoing && state !== "on") await keep(before);
      const isLeft = !ok && wanted === "off" && book.ledger().crawlerBlock?.on === true;
      return { wanted, ok, changed, isLeft, isOthers: false, text };
    },
  };
}
