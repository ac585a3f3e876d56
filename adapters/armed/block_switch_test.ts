import { assertEquals } from "@std/assert";
import type { Ledger, LedgerCrawlerBlock } from "../../mod/hold/ledger.ts";
import { emptyLedger } from "../../mod/hold/restore.ts";
import { ok, type Reading } from "../../mod/reading.ts";
import type { BlockOutcome, BlockState } from "../crawler_block.ts";
import { type BlockSwitch, openBlockSwitch } from "./block_switch.ts";

const OURS: LedgerCrawlerBlock = { on: true, ours: true, sinceWallMs: 1 };
const OTHERS: LedgerCrawlerBlock = { ...OURS, ours: false };

/** A host with a block. */
interface BlockHost {
  state: BlockState;
  isMarked: boolean;
  /** Whether nginx refuses whatever is new. */
  isBroken: boolean;
  ledger: Ledger;
  /** What the ledger said of the block at each switch of its file. */
  readonly known: (LedgerCrawlerBlock | undefined)[];
}

function aHost(
  state: BlockState,
  crawlerBlock?: LedgerCrawlerBlock,
): { host: BlockHost; block: BlockSwitch } {
  const ledger = { ...emptyLedger({ id: "this", nowBootMs: 1, nowWallMs: 1 }), crawlerBlock };
  const host: BlockHost = { state, isMarked: false, isBroken: false, ledger, known: [] };
  const block = openBlockSwitch({
    clock: { wallMs: () => 1 },
    book: {
      ledger: () => host.ledger,
      record(update): Promise<Reading<void>> {
        host.ledger = update(host.ledger);
        return Promise.resolve(ok(undefined));
      },
    },
    set(wanted): Promise<BlockOutcome> {
      const is = { failure: undefined, text: "", reloadedAtMs: undefined };
      if (host.state === wanted) return Promise.resolve({ ...is, kind: "unchanged", state: wanted });
      host.known.push(host.ledger.crawlerBlock);
      if (host.isBroken) {
        return Promise.resolve({ ...is, kind: "failed", failure: "config-refused", state: host.state });
      }
      host.state = wanted;
      return Promise.resolve({ ...is, kind: "switched", state: wanted });
    },
    read: () => host.state,
    isMarked: () => host.isMarked,
  });
  return { host, block };
}

Deno.test("openBlockSwitch() takes a block for ours that it switched on, and takes it away", async () => {
  const { host, block } = aHost("off");
  assertEquals((await block.set("on")).changed, true);
  assertEquals([host.ledger.crawlerBlock, block.isToGo()], [OURS, true]);
  await block.set("on");
  assertEquals([host.ledger.crawlerBlock, block.isToGo()], [OURS, true], "also when it is on already");
  assertEquals((await block.set("off")).changed, true);
  assertEquals([host.state, host.ledger.crawlerBlock?.on, block.isToGo()], ["off", false, false]);
});

Deno.test("openBlockSwitch() leaves a block on that somebody else switched on", async () => {
  for (const before of [undefined, OTHERS, { ...OURS, on: false }]) {
    const { host, block } = aHost("on", before);
    assertEquals((await block.set("on")).changed, false);
    assertEquals([host.ledger.crawlerBlock, block.isToGo()], [OTHERS, false]);
    const { ok, changed, isLeft, isOthers } = await block.set("off");
    assertEquals([ok, changed, isLeft, isOthers], [true, false, false, true]);
    assertEquals([host.state, host.ledger.crawlerBlock], ["on", OTHERS]);
  }
  const { host, block } = aHost("on");
  assertEquals((await block.set("off")).isOthers, true);
  assertEquals([host.state, host.ledger.crawlerBlock], ["on", undefined]);
});

Deno.test("openBlockSwitch() takes a block away that says itself that it is ours", async () => {
  const { host, block } = aHost("on");
  host.isMarked = true;
  assertEquals(block.isToGo(), false, "nobody has said that it is on");
  await block.set("on");
  assertEquals([host.ledger.crawlerBlock, block.isToGo()], [OTHERS, true]);
  assertEquals((await block.set("off")).isOthers, false);
  assertEquals([host.state, host.ledger.crawlerBlock?.on], ["off", false]);
});

Deno.test("openBlockSwitch() writes down that a block is ours before it is on", async () => {
  const { host, block } = aHost("off", { ...OURS, on: false });
  await block.set("on");
  assertEquals(host.known, [OURS]);
});

Deno.test("openBlockSwitch() takes back what it wrote of a block that nginx refused", async () => {
  for (const before of [undefined, { ...OURS, on: false }]) {
    const { host, block } = aHost("off", before);
    host.isBroken = true;
    assertEquals((await block.set("on")).ok, false);
    assertEquals([host.ledger.crawlerBlock, block.isToGo()], [before, false]);
  }
});

Deno.test("openBlockSwitch() says that a block of ours is left which could not be taken away", async () => {
  const { host, block } = aHost("on", OURS);
  host.isBroken = true;
  const { ok, isLeft } = await block.set("off");
  assertEquals([ok, isLeft, block.isToGo()], [false, true, true]);
});
