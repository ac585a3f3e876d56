import { assertEquals } from "@std/assert";
import {
  isFlapping,
  lastActionMs,
  NO_ACTIONS,
  type PastAction,
  type PastActions,
  withAction,
} from "./actions.ts";

const MINUTE_MS = 60_000;

/** `o` is out and `i` is in, at so many minutes. */
function past(...actions: readonly (readonly ["o" | "i", number])[]): PastActions {
  return actions.reduce(
    (before, [action, minute]) =>
      withAction(before, { action: action === "o" ? "ScaleOut" : "ScaleIn", atMs: minute * MINUTE_MS }),
    NO_ACTIONS,
  );
}

for (
  const [name, before, next, minute, flaps] of [
    ["nothing before", past(), "ScaleOut", 0, false],
    ["a fifth in one direction", past(["o", 0], ["o", 1], ["o", 2], ["o", 3]), "ScaleOut", 4, false],
    [
      "a seventh of an hour",
      past(...[0, 1, 2, 3, 4, 5].map((at) => ["o", at] as const)),
      "ScaleOut",
      59,
      true,
    ],
    [
      "a seventh, of which the first is an hour old",
      past(...[0, 1, 2, 3, 4, 5].map((at) => ["o", at] as const)),
      "ScaleOut",
      60,
      false,
    ],
    ["a third turn", past(["o", 0], ["i", 1], ["o", 2]), "ScaleIn", 3, false],
    ["a fourth turn", past(["o", 0], ["i", 1], ["o", 2], ["i", 3]), "ScaleOut", 4, true],
    [
      "one more after three turns, without another",
      past(["o", 0], ["i", 1], ["o", 2], ["i", 3]),
      "ScaleIn",
      4,
      false,
    ],
  ] as const
) {
  Deno.test(`isFlapping() is ${flaps} for ${name}`, () => {
    assertEquals(isFlapping(before, next, minute * MINUTE_MS), flaps);
  });
}

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

Deno.test("withAction() keeps the last hour and the last one of each kind, over days of it", () => {
  let kept = past(["o", 0]);
  for (let minute = 10; minute < 5_000; minute += 10) {
    kept = withAction(kept, { action: "ScaleIn", atMs: minute * MINUTE_MS });
  }
  const minutes = kept.actions.map(({ action, atMs }: PastAction) => [action, atMs / MINUTE_MS]);
  assertEquals(minutes[0], ["ScaleOut", 0]);
  assertEquals(minutes.slice(1).map(([, minute]) => minute), [4_940, 4_950, 4_960, 4_970, 4_980, 4_990]);
});
