import { assertEquals } from "@std/assert";
import { climb, DEFAULT_RULES, steady } from "../testing/climb.ts";
import { aPressure } from "../testing/page.ts";
import { noteDecision, notePressure, noteRecent, RECENT_LIMIT, type RecentEvaluation } from "./recent.ts";

function noted(keys: readonly string[]): readonly RecentEvaluation[] {
  return keys.reduce<readonly RecentEvaluation[]>((list, key, index) =>
    noteRecent(list, {
      about: key.startsWith("p") ? "pressure" : "ladder",
      key,
      wallMs: index,
      explain: () => {
        throw new Error("nobody asked");
      },
    }), []);
}

Deno.test("noteRecent() counts evaluations that come out the same, the newest first", () => {
  assertEquals(
    noted(["a", "a", "p", "a", "b", "p"]).map((
      { key, count, firstWallMs, lastWallMs },
    ) => [key, count, firstWallMs, lastWallMs]),
    [["p", 2, 2, 5], ["b", 1, 4, 4], ["a", 3, 0, 3]],
  );
});

Deno.test("noteRecent() counts two that take turns, and none that comes back after others", () => {
  assertEquals(noted(["a", "b", "a", "b", "a"]).map(({ key, count }) => [key, count]), [["a", 3], ["b", 2]]);
  assertEquals(noted(["a", "b", "c", "a"]).map(({ key, count }) => [key, count]), [
    ["a", 1],
    ["c", 1],
    ["b", 1],
    ["a", 1],
  ]);
});

Deno.test("noteRecent() keeps the last of them alone", () => {
  const list = noted(Array.from({ length: 100 }, (_, index) => `${index}`));
  assertEquals([list.length, list[0]?.key, list.at(-1)?.key], [RECENT_LIMIT, "99", "80"]);
});

Deno.test("noteDecision() and notePressure() explain what was noted last", () => {
  let list: readonly RecentEvaluation[] = [];
  for (const { decision } of climb([...steady(0, 11, 20), ...steady(11, 40, 700)])) {
    list = noteDecision(list, decision, DEFAULT_RULES, decision.monotonicMs);
  }
  list = notePressure(list, aPressure(60_000, 60_000));
  assertEquals(list.map(({ explain, count }) => `${count} ${explain().about} ${explain().found}`), [
    "1 pressure PhpSaturated",
    "1 ladder MAX, still over at the re-check, web paused",
    "1 ladder MAX, web paused",
    "1 ladder MAX, still over at the re-check, web paused",
    "1 ladder MAX",
    "3 ladder NORMAL",
  ]);
});
