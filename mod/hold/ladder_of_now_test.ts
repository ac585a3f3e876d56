import { assertEquals, assertNotEquals } from "@std/assert";
import { INITIAL_STATE } from "../ladder/state.ts";
import { ladderKey } from "./ladder_of_now.ts";

Deno.test("ladderKey() changes with a marker, and not with each valid load", () => {
  const quiet = ladderKey({ ...INITIAL_STATE, lastValidMs: 0 });
  assertEquals(ladderKey({ ...INITIAL_STATE, lastValidMs: 90_000 }), quiet);
  assertNotEquals(ladderKey({ ...INITIAL_STATE, markers: ["max_load"] }), quiet);
});

Deno.test("ladderKey() follows the last valid load of a pause in steps of half a minute", () => {
  const hold = {
    sinceMs: 0,
    byHand: false,
    higherPercentAtStart: undefined,
    overdueReported: false,
    partlyStarted: false,
  };
  const keyAt = (lastValidMs: number): string => ladderKey({ ...INITIAL_STATE, hold, lastValidMs });
  assertEquals(keyAt(29_999), keyAt(0));
  assertNotEquals(keyAt(30_000), keyAt(0));
});
