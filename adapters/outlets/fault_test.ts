import { assertEquals } from "@std/assert";
import { systemClock } from "../clock.ts";
import { watchFault } from "./fault.ts";

Deno.test("watchFault() tells that a fault is over once it has stayed away, and no sooner", () => {
  const told: (string | undefined)[] = [];
  let nowMs = 0;
  const fault = watchFault("x", 100, {
    clock: { ...systemClock, monotonicMs: () => nowMs },
    tellChange: (_, line) => void told.push(line),
  });
  fault.passed();
  fault.happened("bad");
  nowMs = 60;
  fault.passed();
  fault.happened("bad");
  nowMs = 159;
  fault.passed();
  assertEquals(told, ["bad", "bad"]);
  nowMs = 160;
  fault.passed();
  fault.passed();
  assertEquals(told, ["bad", "bad", undefined]);
});
