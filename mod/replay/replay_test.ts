import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { DEFAULT_RULES } from "../testing/climb.ts";
import { recordOfDecision } from "./decision_record.ts";
import { beginReplay } from "./replay.ts";

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
