import { assertEquals } from "@std/assert";
import { isFlapping, lastActionMs, NO_ACTIONS, type PastActions, withAction } from "./actions.ts";

Deno.test("lastActionMs() goes back to where nobody knows, and takes what was done since", () => {
  const past: PastActions = { ...NO_ACTIONS, unknownBeforeMs: 5_000 };
  assertEquals([lastActionMs(past, "ScaleOut"), lastActionMs(past, "ScaleIn")], [5_000, 5_000]);
  const next = withAction(past, { action: "ScaleOut", atMs: 70_000 });
  assertEquals([lastActionMs(next, "ScaleOut"), lastActionMs(next, "ScaleIn")], [70_000, 5_000]);
  assertEquals(lastActionMs(NO_ACTIONS, "ScaleOut"), undefined);
});

Deno.test("isFlapping() counts what is known alone", () => {
  const past: PastActions = { ...NO_ACTIONS, unknownBeforeMs: 0 };
  const after = (count: number): PastActions =>
    Array.from({ length: count }, (_, at) => at * 60_000)
      .reduce((earlier, atMs) => withAction(earlier, { action: "ScaleOut", atMs }), past);
  assertEquals([isFlapping(after(5), "ScaleOut", 400_000), isFlapping(after(6), "ScaleOut", 400_000)], [
    false,
    true,
  ]);
});
