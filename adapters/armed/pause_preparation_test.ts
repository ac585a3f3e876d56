import { assertEquals } from "@std/assert";
import { openPausePreparation } from "./pause_preparation.ts";

Deno.test("openPausePreparation() asks when a re-check may bring on a pause, once at a time, and not at each", async () => {
  let asked = 0;
  let nowMs = 0;
  let answer = (): void => {};
  const follow = openPausePreparation({ monotonicMs: () => nowMs }, () => {
    asked += 1;
    return new Promise<void>((resolve) => answer = resolve);
  });
  follow({ tier: "spider", paused: false, actions: ["recheck"] });
  follow({ tier: "max", paused: true, actions: ["recheck"] });
  follow({ tier: "max", paused: false, actions: ["pause-web"] });
  assertEquals(asked, 0);
  follow({ tier: "max", paused: false, actions: ["recheck"] });
  nowMs += 100_000;
  follow({ tier: "crit", paused: false, actions: ["recheck"] });
  assertEquals(asked, 1);
  answer();
  await new Promise((resolve) => setTimeout(resolve));
  follow({ tier: "crit", paused: false, actions: ["recheck"] });
  assertEquals(asked, 2);
  answer();
  await new Promise((resolve) => setTimeout(resolve));
  nowMs += 44_999;
  follow({ tier: "crit", paused: false, actions: ["recheck"] });
  assertEquals(asked, 2);
  nowMs += 1;
  follow({ tier: "crit", paused: false, actions: ["recheck"] });
  assertEquals(asked, 3);
});
