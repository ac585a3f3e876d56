import { assertEquals, assertStrictEquals } from "@std/assert";
import { holdFrom } from "../ladder/hold.ts";
import type { LedgerHold } from "./ledger.ts";
import { holdOfNow } from "./hold_of_now.ts";

const BY_LOAD: LedgerHold = {
  reason: "max",
  text: "load",
  sinceBootMs: 1_000,
  sinceWallMs: 1_000,
  higherPercentAtStart: 700,
  services: [],
  phase: "held",
  startedAgain: [],
  expiresBootMs: undefined,
};
const BY_HAND: LedgerHold = { ...BY_LOAD, reason: "by-hand", text: "by hand", expiresBootMs: 60_000 };
const ASKED = { hold: { ...holdFrom(1_000), byHand: true }, markers: [] };

Deno.test("holdOfNow() leaves a hold that is as it was, and one that is being given back", () => {
  assertStrictEquals(
    holdOfNow(BY_LOAD, { hold: holdFrom(1_000), markers: ["max_load"] }, undefined),
    BY_LOAD,
  );
  assertStrictEquals(holdOfNow(BY_HAND, ASKED, 60_000), BY_HAND);
  assertStrictEquals(holdOfNow(BY_HAND, { hold: undefined, markers: [] }, undefined), BY_HAND);
});

Deno.test("holdOfNow() ends a hold when the last one who asked for it wants it to end", () => {
  assertEquals(holdOfNow(BY_HAND, ASKED, 90_000), { ...BY_HAND, expiresBootMs: 90_000 });
  assertEquals(holdOfNow(BY_LOAD, ASKED, 60_000), BY_HAND);
});

Deno.test("holdOfNow() gives a hold that a person does not want any more to the load that keeps it", () => {
  for (const [marker, reason] of [["max_load", "max"], ["critical_load", "crit"]] as const) {
    const kept = holdOfNow(BY_HAND, { hold: holdFrom(1_000), markers: [marker] }, undefined);
    assertEquals([kept.reason, kept.expiresBootMs, kept.sinceBootMs], [reason, undefined, 1_000]);
  }
});
