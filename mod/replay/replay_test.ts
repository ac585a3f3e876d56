import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { recordOfDecision } from "./decision_record.ts";
import { beginReplay } from "./replay.ts";

const RULES: LadderRules = {
  spiderPercent: 210,
  maxPercent: 610,
  critPercent: 810,
  resumePercent: 488,
  intervalMs: 5_000,
  recheckMs: 9_000,
  iowaitMinPercent: 10,
  maxHoldMs: 1_800_000,
  onMaxHold: "resume",
  witness: "advise",
  drasticAllowed: true,
};

const GOLDEN = new URL("../../fixtures/golden/ladder/", import.meta.url);

for (const { name } of [...Deno.readDirSync(GOLDEN)].sort((a, b) => a.name.localeCompare(b.name))) {
  if (!name.endsWith(".trace.jsonl")) continue;
  Deno.test(`replay gives the golden decisions of ${name}`, () => {
    const replay = beginReplay(RULES, name);
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
  const replay = beginReplay(RULES, "night.trace");
  replay.take('{"t":5,"load1":1,"load5":1,"cpus":2}');
  assertThrows(
    () => replay.take('{"t":5,"load1":1,"load5":1,"cpus":2}'),
    ParseError,
    'Cannot parse "night.trace" line 2: t is 5 after 5, expected a later time',
  );
});
