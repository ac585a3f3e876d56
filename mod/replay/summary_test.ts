import { assertEquals } from "@std/assert";
import { climb, steady } from "../testing/climb.ts";
import { beginTally } from "./summary.ts";

Deno.test("beginTally() adds up what the ladder would have done, and for how long", () => {
  const tally = beginTally();
  const samples = [...steady(0, 60, 700), ...steady(60, 66, undefined), ...steady(66, 120, 100)];
  for (const { decision } of climb(samples)) tally.add(decision);
  const summary = tally.summary();
  assertEquals(summary.actions["pause-web"], 1);
  assertEquals(summary.actions["resume-web"], 1);
  assertEquals(summary.pausedMs, summary.longestPauseMs);
  assertEquals([summary.unknown, summary.highestPercent, summary.blockedMs], [1, 700, 0]);
  // Paused at the re-check of 9 s; a re-check finds the load gone, and the pass after it gives the web back.
  assertEquals(summary.pausedMs, 61_000);
});
