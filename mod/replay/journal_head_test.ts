import { assertEquals, assertThrows } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";
import { INITIAL_STATE, type LadderState, MARKERS } from "../ladder/state.ts";
import { ACTING_TIERS } from "../ladder/tier.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { type JournalHead, maybeJournalHead, renderJournalHead } from "./journal_head.ts";

const MS = fc.nat({ max: 1e12 });
const PERCENT = fc.nat({ max: 100_000 }).map((tenths) => tenths / 10);

function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}

const STATES: fc.Arbitrary<LadderState> = fc.record({
  nextDueMs: fc.oneof(MS, fc.constant(-Infinity)),
  pending: maybe(fc.constantFrom(...ACTING_TIERS)),
  markers: fc.subarray([...MARKERS]),
  crawlerBlock: fc.boolean(),
  hold: maybe(fc.record({
    sinceMs: MS,
    overdueReported: fc.boolean(),
    byHand: fc.boolean(),
    partlyStarted: fc.boolean(),
  })),
  futileAtPercent: maybe(PERCENT),
  lastValidMs: maybe(MS),
  lineWatch: maybe(fc.record({ line: fc.string(), sinceMs: MS, untilMs: MS, busyMs: PERCENT })),
});

const HEAD: JournalHead = {
  version: "0.1.0",
  wallMs: 1_796_155_865_000,
  settings: ["ladder.max=5"],
  drasticAllowed: true,
  state: INITIAL_STATE,
};

Deno.test("maybeJournalHead() reads what renderJournalHead() wrote, for any state", () => {
  fc.assert(fc.property(STATES, fc.boolean(), (state, drasticAllowed) => {
    const head = { ...HEAD, state, drasticAllowed };
    assertEquals(maybeJournalHead(renderJournalHead(head), "journal", 1), head);
  }));
});

Deno.test("maybeJournalHead() leaves samples alone", () => {
  assertEquals(maybeJournalHead('{"t":0,"load1":1,"load5":1,"cpus":2}', "journal", 1), undefined);
});

const BROKEN: readonly (readonly [string, string])[] = [
  [renderJournalHead(HEAD).slice(0, -2), "is no JSON"],
  [renderJournalHead(HEAD).replace('"journal":1', '"journal":2'), 'journal is "2", expected 1'],
  [renderJournalHead(HEAD).replace("crawlerBlock", "block"), "is not known"],
  [
    renderJournalHead({ ...HEAD, state: { ...INITIAL_STATE, pending: "max" } }).replace('"max"', '"more"'),
    "state.pending is",
  ],
];

for (const [text, problem] of BROKEN) {
  Deno.test(`maybeJournalHead() refuses a head of which ${problem}`, () => {
    const error = assertThrows(() => maybeJournalHead(text, "journal", 7), ParseError, problem);
    assertEquals(error.message.startsWith('Cannot parse "journal" line 7: '), true);
  });
}

Deno.test("maybeJournalHead() throws nothing but its own error for mutated heads", () => {
  assertReadsOrRefuses(renderJournalHead(HEAD), (text) => void maybeJournalHead(text, "journal", 1));
});
