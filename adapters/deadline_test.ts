import { assertEquals, assertRejects } from "@std/assert";
import { systemClock } from "./clock.ts";
import { waitAtMost } from "./deadline.ts";

// A timer that is left behind makes each of these fail.
Deno.test("waitAtMost() goes on with the promise, and leaves no timer", async () => {
  const startedMs = performance.now();
  await waitAtMost(60_000, Promise.resolve(), systemClock);
  await assertRejects(() => waitAtMost(60_000, Promise.reject(new Error("no")), systemClock));
  assertEquals(performance.now() - startedMs < 30_000, true);
});

Deno.test("waitAtMost() goes on when the time is over", async () => {
  await waitAtMost(1, new Promise(() => {}), systemClock);
});
