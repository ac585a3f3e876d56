import { assertEquals } from "@std/assert";
import { countEvaluation, type PressureCount } from "./tally.ts";

Deno.test("countEvaluation() counts by class, action and reason, in the order in which each was first seen", () => {
  const idle = { class: "Unknown", action: "None", because: { code: "nominal", text: "one text" } } as const;
  const memory = { ...idle, class: "MemoryPressure" } as const;
  const again = { ...idle, because: { ...idle.because, text: "another text" } };
  const rows = [idle, memory, again].reduce<readonly PressureCount[]>(countEvaluation, []);
  assertEquals(rows, [
    { class: "Unknown", action: "None", reason: "nominal", count: 2 },
    { class: "MemoryPressure", action: "None", reason: "nominal", count: 1 },
  ]);
});
