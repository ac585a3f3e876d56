import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { parseScaleMemory, pastOf, renderScaleMemory, type ScaleMemory } from "./scale_memory.ts";

const MEMORY: ScaleMemory = {
  bootId: "6b1f5b9e",
  actions: [{ action: "ScaleOut", atBootMs: 812_000 }, { action: "ScaleIn", atBootMs: 990_000 }],
  failedAtBootMs: 790_000,
};

Deno.test("parseScaleMemory() gives back what renderScaleMemory() wrote", () => {
  assertEquals(parseScaleMemory(renderScaleMemory(MEMORY), "x"), MEMORY);
  const never = { ...MEMORY, actions: [], failedAtBootMs: undefined };
  assertEquals(parseScaleMemory(renderScaleMemory(never), "x"), never);
});

Deno.test("parseScaleMemory() refuses what is cut short, of another version, or no scaling", () => {
  const text = renderScaleMemory(MEMORY);
  for (
    const broken of [
      "",
      text.slice(0, -10),
      text.replace('"version":1', '"version":2'),
      text.replace("ScaleIn", "ScaleUp"),
      text.replace("812000", "-1"),
      text.replace("bootId", "boot"),
    ]
  ) assertThrows(() => parseScaleMemory(broken, "x"), ParseError);
});

Deno.test("pastOf() goes on with what this boot has seen", () => {
  assertEquals(pastOf(MEMORY, "6b1f5b9e", 1_000_000), {
    actions: MEMORY.actions,
    failedAtBootMs: 790_000,
    cooldownsFromBootMs: undefined,
  });
});

Deno.test("pastOf() starts both cooldowns in full where nobody knows", () => {
  const unknown = { actions: [], failedAtBootMs: undefined, cooldownsFromBootMs: 900_000 };
  assertEquals(pastOf(undefined, "6b1f5b9e", 900_000), unknown, "nothing left");
  assertEquals(pastOf({ ...MEMORY, actions: [] }, "another", 900_000), unknown, "another boot");
  assertEquals(pastOf(MEMORY, "6b1f5b9e", 900_000), unknown, "an action that is still to come");
  const failsLater = { ...MEMORY, actions: [], failedAtBootMs: 900_001 };
  assertEquals(pastOf(failsLater, "6b1f5b9e", 900_000), unknown, "a failure that is still to come");
});
