import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { INITIAL_STATE } from "../ladder/state.ts";
import { recordOfSample } from "../recording/record_of_sample.ts";
import { climb, DEFAULT_RULES, sampleAt } from "../testing/climb.ts";
import { textOf } from "./comparison.ts";
import { decidedOf, recordOfDecision } from "./decision_record.ts";
import { type JournalHead, renderJournalHead } from "./journal_head.ts";
import { beginReplay, type Replay } from "./replay.ts";

const GOLDEN = new URL("../../fixtures/golden/ladder/", import.meta.url);

for (const { name } of [...Deno.readDirSync(GOLDEN)].sort((a, b) => a.name.localeCompare(b.name))) {
  if (!name.endsWith(".trace.jsonl")) continue;
  Deno.test(`replay gives the golden decisions of ${name}`, () => {
    const replay = beginReplay(DEFAULT_RULES, name);
    const decisions = Deno.readTextFileSync(new URL(name, GOLDEN)).split("\n")
      .map((line) => replay.take(line))
      .filter((decision) => decision !== undefined)
      .map((decision) => JSON.parse(JSON.stringify(recordOfDecision(decision))));
    const golden = Deno.readTextFileSync(new URL(name.replace(".trace.", ".decisions."), GOLDEN)).trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assertEquals(decisions, golden);
  });
}

Deno.test("beginReplay() refuses a time that does not rise", () => {
  const replay = beginReplay(DEFAULT_RULES, "night.trace");
  replay.take('{"t":5,"load1":1,"load5":1,"cpus":2}');
  assertThrows(
    () => replay.take('{"t":5,"load1":1,"load5":1,"cpus":2}'),
    ParseError,
    'Cannot parse "night.trace" line 2: t is 5 after 5, expected a later time',
  );
});

/** A journal of three samples at 700 %: the state of its head makes the first of them a re-check. */
const JOURNAL = [
  renderJournalHead({
    version: "0.1.0",
    wallMs: 0,
    settings: ["ladder.max=5"],
    drasticAllowed: true,
    state: { ...INITIAL_STATE, nextDueMs: 100_000, pending: "max" },
  }),
  ...climb(
    [sampleAt(100_000, 700), sampleAt(105_000, 700), sampleAt(114_000, 700)],
    DEFAULT_RULES,
    { ...INITIAL_STATE, nextDueMs: 100_000, pending: "max" },
  ).map(({ decision }) =>
    JSON.stringify({
      ...recordOfSample(sampleAt(decision.monotonicMs, 700), 0),
      decided: decidedOf(decision),
    })
  ),
];

function replayOf(lines: readonly string[], rulesOf?: (head: JournalHead) => LadderRules): Replay {
  const replay = beginReplay({ ...DEFAULT_RULES, maxPercent: 9_999 }, "journal", rulesOf);
  for (const line of lines) replay.take(line);
  return replay;
}

Deno.test("beginReplay() goes on where the head of a journal begins, by the rules that it names", () => {
  const heads: JournalHead[] = [];
  const replay = replayOf(JOURNAL, (head) => {
    heads.push(head);
    return DEFAULT_RULES;
  });
  assertEquals(heads.map(({ settings }) => settings), [["ladder.max=5"]]);
  assertEquals(replay.comparison(), { count: 3, differing: 0, first: undefined });
  assertEquals(replay.rules(), DEFAULT_RULES);
});

Deno.test("beginReplay() tells which decision of a journal comes out otherwise", () => {
  const { count, differing, first } = replayOf(JOURNAL).comparison();
  assertEquals([count, differing, first?.lineNumber], [3, 3, 2]);
  assertEquals(first && textOf(first.then), "recheck max: pause-web (confirmed)");
  assertEquals(first && textOf(first.now), "recheck max: nothing (spike-passed)");
});

Deno.test("beginReplay() passes over a line of a journal that was cut, where a head follows", () => {
  const [head = "", ...samples] = JOURNAL;
  const cut = samples[0]?.slice(0, 40) ?? "";
  const replay = replayOf([head, ...samples.slice(0, 2), cut, head, ...samples], () => DEFAULT_RULES);
  assertEquals(replay.comparison().count, 5);
  assertEquals(replay.comparison().differing, 0);
  replayOf([head, ...samples, cut]);
  assertThrows(() => replayOf([head, cut, ...samples]), ParseError, "line 2");
  assertThrows(() => replayOf([cut, head]), ParseError, "line 1");
});
