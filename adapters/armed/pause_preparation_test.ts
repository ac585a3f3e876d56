import { assertEquals } from "@std/assert";
import { openPausePreparation } from "./pause_preparation.ts";

Deno.test("openPausePreparation() asks when a re-check may bring on a pause, once at a time", async () => {
  let asked = 0;
  let answer = (): void => {};
  const follow = openPausePreparation(() => {
    asked += 1;
    return new Promise<void>((resolve) => answer = resolve);
  });
  follow({ tier: "spider", paused: false, actions: ["recheck"] });
  follow({ tier: "max", paused: true, actions: ["recheck"] });
  follow({ tier: "max", paused: false, actions: ["pause-web"] });
  assertEquals(asked, 0);
  follow({ tier: "max", paused: false, actions: ["recheck"] });
  follow({ tier: "crit", paused: false, actions: ["recheck"] });
  assertEquals(asked, 1);
  answer();
  await new Promise((resolve) => setTimeout(resolve));
  follow({ tier: "crit", paused: false, actions: ["recheck"] });
  assertEquals(asked, 2);
});
