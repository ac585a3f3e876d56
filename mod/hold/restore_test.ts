import { assertEquals } from "@std/assert";
import { INITIAL_STATE } from "../ladder/state.ts";
import { actionsOf, climb, DEFAULT_RULES, steady } from "../testing/climb.ts";
import type { Ledger, LedgerHold } from "./ledger.ts";
import { emptyLedger, restore, withBlockFound } from "./restore.ts";

const BOOT = { id: "this", nowBootMs: 100_000, nowWallMs: 1 };

const HOLD: LedgerHold = {
  reason: "max",
  text: "load",
  sinceBootMs: 50_000,
  sinceWallMs: 1,
  higherPercentAtStart: 700,
  services: [
    { kind: "nginx", manager: "sysv", name: "nginx", program: undefined, args: [], confPath: undefined },
  ],
  phase: "held",
  startedAgain: [],
  expiresBootMs: undefined,
};

function ledgerWith(hold: LedgerHold | undefined, more: Partial<Ledger> = {}): Ledger {
  return { ...emptyLedger(BOOT), hold, ...more };
}

Deno.test("restore() begins anew where there is no ledger", () => {
  assertEquals(restore(undefined, BOOT), {
    ledger: emptyLedger(BOOT),
    state: INITIAL_STATE,
    note: undefined,
  });
});

Deno.test("restore() goes on with a pause of this boot, and gives it back once the load is safe", () => {
  for (const phase of ["stopping", "held"] as const) {
    const { state, note, ledger } = restore(ledgerWith({ ...HOLD, phase }), BOOT);
    assertEquals([state.hold?.sinceMs, state.markers, ledger.hold?.phase], [50_000, ["max_load"], phase]);
    assertEquals(note, "a pause goes on: nginx");
    assertEquals(actionsOf(climb(steady(100, 110, 20), DEFAULT_RULES, state)), ["resume-web"]);
    assertEquals(actionsOf(climb(steady(100, 200, 700), DEFAULT_RULES, state)), [], "not while it is high");
  }
});

Deno.test("restore() stops nothing more after long, before the load has been looked at", () => {
  for (const [agoMs, phase] of [[119_999, "stopping"], [120_000, "held"]] as const) {
    const boot = { ...BOOT, nowBootMs: BOOT.nowBootMs + agoMs };
    const { ledger, state } = restore(ledgerWith({ ...HOLD, phase: "stopping" }), boot);
    assertEquals([ledger.hold?.phase, state.hold?.sinceMs], [phase, 50_000]);
  }
});

Deno.test("restore() gives back a pause whose times are still to come", () => {
  const hold: LedgerHold = { ...HOLD, reason: "by-hand", expiresBootMs: 150_000 };
  const byHand = { what: "hold", untilBootMs: 150_000, reason: "" } as const;
  const { ledger, state, note } = restore(ledgerWith(hold, { byHand }), { ...BOOT, nowBootMs: 2_000 });
  assertEquals([ledger.hold?.phase, ledger.byHand, state.hold], ["starting", undefined, undefined]);
  assertEquals(note, "the time since boot went back during a pause: nginx will be seen to run");
  assertEquals(restore(ledgerWith(hold), { ...BOOT, nowBootMs: 95_000 }).ledger.hold?.phase, "held");
});

Deno.test("restore() keeps the deadline of a pause over a restart", () => {
  const { state } = restore(ledgerWith(HOLD), BOOT);
  const steps = climb(steady(100, 1_900, 700), DEFAULT_RULES, state);
  const resumed = steps.find(({ decision }) => decision.actions.includes("resume-web"))?.decision;
  assertEquals([resumed?.reason, Math.floor((resumed?.monotonicMs ?? 0) / 10_000)], [
    "max-hold-reached",
    185,
  ]);
});

Deno.test("restore() does not begin the minute without a load anew with each agent", () => {
  const ladder = { markers: ["max_load"], hold: undefined, futileAtPercent: undefined } as const;
  for (
    const [lastValidBootMs, atS] of [[undefined, 160], [100_000, 160], [70_000, 130], [1_000, 100]] as const
  ) {
    const { state } = restore(ledgerWith(HOLD, { ladder: { ...ladder, lastValidBootMs } }), BOOT);
    const steps = climb(steady(100, 200, undefined), DEFAULT_RULES, state);
    const resumed = steps.find(({ decision }) => decision.actions.includes("resume-web"))?.decision;
    assertEquals([resumed?.reason, resumed?.monotonicMs], ["load-lost-in-hold", atS * 1000]);
  }
});

Deno.test("restore() goes on starting what was being started", () => {
  const { state, ledger } = restore(ledgerWith({ ...HOLD, phase: "starting" }), BOOT);
  assertEquals([state.hold, state.markers, ledger.hold?.phase], [undefined, [], "starting"]);
});

Deno.test("restore() starts what was stopped before the host was booted", () => {
  const { state, ledger } = restore(ledgerWith(HOLD, { bootId: "another" }), BOOT);
  assertEquals([state.hold, ledger.hold?.phase, ledger.hold?.services], [
    undefined,
    "starting",
    HOLD.services,
  ]);
  assertEquals(ledger.bootId, "this");
});

Deno.test("restore() knows that a crawler block is ours, and drops it when the load is low", () => {
  const crawlerBlock = { on: true, ours: true, sinceWallMs: 1 };
  for (const bootId of ["this", "another"]) {
    const { state } = restore(ledgerWith(undefined, { bootId, crawlerBlock }), BOOT);
    assertEquals(actionsOf(climb(steady(100, 110, 20), DEFAULT_RULES, state)), ["crawler-block-off"]);
  }
  const others = restore(ledgerWith(undefined, { crawlerBlock: { ...crawlerBlock, ours: false } }), BOOT);
  assertEquals(others.state.crawlerBlock, false);
});

Deno.test("withBlockFound() takes a block for ours that the ledger does not know, and not one that it knows to be off", () => {
  const ours = { on: true, ours: true, sinceWallMs: BOOT.nowWallMs };
  for (const crawlerBlock of [undefined, { ...ours, ours: false }]) {
    for (const bootId of ["this", "another"]) {
      const ledger = withBlockFound(ledgerWith(HOLD, { bootId, crawlerBlock }), BOOT);
      assertEquals(ledger, { ...ledgerWith(HOLD, { bootId }), crawlerBlock: ours });
      assertEquals(restore(ledger, BOOT).state.crawlerBlock, true);
    }
  }
  const { state, ledger, note } = restore(withBlockFound(undefined, BOOT), BOOT);
  assertEquals([state, note], [{ ...INITIAL_STATE, crawlerBlock: true }, undefined]);
  assertEquals(ledger, { ...emptyLedger(BOOT), crawlerBlock: ours });
  assertEquals(actionsOf(climb(steady(100, 110, 20), DEFAULT_RULES, state)), ["crawler-block-off"]);
  for (const known of [{ ...ours, on: false }, { ...ours, sinceWallMs: 0 }]) {
    assertEquals(withBlockFound(ledgerWith(undefined, { crawlerBlock: known }), BOOT).crawlerBlock, known);
  }
});

Deno.test("restore() goes on with a pause by hand, which no load ends", () => {
  const { state } = restore(ledgerWith({ ...HOLD, reason: "by-hand" }), BOOT);
  assertEquals([state.hold?.byHand, state.markers], [true, []]);
});
