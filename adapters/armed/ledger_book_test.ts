import { assertEquals } from "@std/assert";
import { emptyLedger } from "../../mod/hold/restore.ts";
import type { Ledger, LedgerByHand } from "../../mod/hold/ledger.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import { systemClock } from "../clock.ts";
import { openLedgerBook } from "./ledger_book.ts";

const ASKED: LedgerByHand = { what: "hold", untilBootMs: undefined, reason: "a test" };

Deno.test("a change counts once it is written; what has been done counts at once, and is written later", async () => {
  const written: Ledger[] = [];
  let isFull = true;
  const first = emptyLedger({ id: "boot", nowBootMs: 1, nowWallMs: 1 });
  const book = openLedgerBook(first, systemClock, (ledger): Promise<Reading<void>> => {
    if (isFull) return Promise.resolve(failed("no space"));
    written.push(ledger);
    return Promise.resolve(ok(undefined));
  });
  await book.change((ledger) => ({ ...ledger, byHand: ASKED }));
  assertEquals([book.ledger().byHand, book.isBehind()], [undefined, false]);
  await book.record((ledger) => ({ ...ledger, byHand: ASKED }));
  assertEquals([book.ledger().byHand, book.isBehind()], [ASKED, true]);
  await book.change((ledger) => ({ ...ledger, byHand: undefined }));
  assertEquals([book.ledger().byHand, book.isBehind(), written], [ASKED, true, []]);
  isFull = false;
  await book.change((ledger) => ledger);
  assertEquals([written.at(-1)?.byHand, book.isBehind()], [ASKED, false]);
});
