import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import type { PastActions } from "./actions.ts";
import { parseScaleMemory, pastOf, renderScaleMemory, type ScaleMemory } from "./scale_memory.ts";

const PAST: PastActions = {
  actions: [{ action: "ScaleOut", atMs: 812_000 }, { action: "ScaleIn", atMs: 990_000 }],
  failedMs: 790_000,
  unknownBeforeMs: 600_000,
};

const MEMORY: ScaleMemory = { bootId: "6b1f5b9e", past: PAST };

Deno.test("parseScaleMemory() gives back what renderScaleMemory() wrote", () => {
  assertEquals(parseScaleMemory(renderScaleMemory(MEMORY), "x"), MEMORY);
  const never: ScaleMemory = { ...MEMORY, past: { actions: [], failedMs: undefined } };
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
  assertEquals(pastOf(MEMORY, "6b1f5b9e", 1_000_000), PAST);
});

Deno.test("pastOf() starts both cooldowns in full where nobody knows", () => {
  const unknown = { actions: [], failedMs: undefined, unknownBeforeMs: 900_000 };
  const left = (past: Partial<PastActions>): ScaleMemory => ({ ...MEMORY, past: { ...PAST, ...past } });
  assertEquals(pastOf(undefined, "6b1f5b9e", 900_000), unknown, "nothing left");
  assertEquals(pastOf(left({ actions: [] }), "another", 900_000), unknown, "another boot");
  assertEquals(pastOf(MEMORY, "6b1f5b9e", 900_000), unknown, "an action that is still to come");
  const later = { actions: [], failedMs: 900_001 };
  assertEquals(pastOf(left(later), "6b1f5b9e", 900_000), unknown, "a failure that is still to come");
  const since = { actions: [], unknownBeforeMs: 900_001 };
  assertEquals(pastOf(left(since), "6b1f5b9e", 900_000), unknown, "an agent that is still to come");
});
