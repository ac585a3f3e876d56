import { assertEquals } from "@std/assert";
import { HOLDING_STATE } from "../testing/state.ts";
import { holdLines } from "./hold.ts";

Deno.test("holdLines() says since when and why, what it waits for, what comes back, and when at the latest", () => {
  assertEquals(holdLines(HOLDING_STATE, 1_052_000), [
    "web paused for 4 m 12 s: load1 671.5 % over 610 %",
    "waits for 1m 671.5 % to fall below 488 %",
    "stopped, and will be started: php8.2-fpm.service, nginx.service",
    "ends by itself in 25 m 48 s",
  ]);
});

Deno.test("holdLines() is empty when nothing is held", () => {
  assertEquals(holdLines({ ...HOLDING_STATE, hold: undefined }, 1_052_000), []);
});

Deno.test("holdLines() waits for no load when the hold is by hand or over", () => {
  const { hold } = HOLDING_STATE;
  if (hold === undefined) throw new Error("the state holds nothing");
  const byHand = {
    ...HOLDING_STATE,
    hold: { ...hold, reason: "by-hand" as const, services: [], endsBootMs: undefined },
  };
  assertEquals(holdLines(byHand, 801_000), [
    "web paused for 1 s: load1 671.5 % over 610 %",
    "nothing was running, so nothing will be started",
  ]);
  const starting = { ...HOLDING_STATE, hold: { ...hold, phase: "starting" as const, endsBootMs: undefined } };
  assertEquals(
    holdLines(starting, 801_000)[0],
    "web is being started again, held for 1 s: load1 671.5 % over 610 %",
  );
  assertEquals(holdLines(starting, 801_000).length, 2);
});
