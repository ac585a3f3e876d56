import { assertEquals } from "@std/assert";
import { absent, ok, type Reading } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { DEFAULT_THRESHOLDS } from "../thresholds.ts";
import type { AccessCounts } from "./access_line.ts";
import { type ErrorWatch, NO_ERRORS_WATCHED, watchErrors } from "./server_errors.ts";

const LEVELS = DEFAULT_THRESHOLDS.serverErrorsPercent;

type Look =
  | readonly [atS: number, requestCount: number, errorCount: number]
  | readonly [atS: number, "failed"];

function watchAll(looks: readonly Look[], start: ErrorWatch = NO_ERRORS_WATCHED): readonly ErrorWatch[] {
  const watches: ErrorWatch[] = [];
  for (const [atS, requestCount, errorCount = 0] of looks) {
    const counts: Reading<AccessCounts> = requestCount === "failed"
      ? absent("there is no access log")
      : ok({ requestCount, errorCount, unreadableCount: 0 });
    watches.push(watchErrors(watches.at(-1) ?? start, counts, atS * 1000, LEVELS));
  }
  return watches;
}

/** What is said after two stretches, each told as it ends. */
const CASES: readonly { readonly what: string; readonly looks: readonly Look[]; readonly says: string }[] = [
  { what: "one look", looks: [[0, 100, 100]], says: "unknown" },
  { what: "a stretch that is not over", looks: [[0, 0, 0], [29, 100, 100]], says: "unknown" },
  { what: "one bad stretch", looks: [[0, 0, 0], [30, 100, 100]], says: "ok" },
  { what: "two bad stretches", looks: [[0, 0, 0], [30, 20, 10], [60, 20, 10]], says: "drain" },
  {
    what: "a bad stretch told in parts",
    looks: [[0, 0, 0], [10, 10, 5], [30, 10, 5], [40, 1, 1], [60, 19, 9]],
    says: "drain",
  },
  {
    what: "two stretches just below the drain",
    looks: [[0, 0, 0], [30, 200, 99], [60, 200, 99]],
    says: "warn",
  },
  { what: "two stretches at the warning", looks: [[0, 0, 0], [30, 100, 5], [60, 100, 5]], says: "warn" },
  {
    what: "two stretches just below the warning",
    looks: [[0, 0, 0], [30, 1000, 49], [60, 1000, 49]],
    says: "ok",
  },
  { what: "a bad stretch and a pale one", looks: [[0, 0, 0], [30, 100, 90], [60, 100, 10]], says: "warn" },
  {
    what: "a good stretch between bad ones",
    looks: [[0, 0, 0], [30, 99, 99], [60, 99, 0], [90, 99, 99]],
    says: "ok",
  },
  { what: "too few answers", looks: [[0, 0, 0], [30, 19, 19], [60, 19, 19]], says: "ok" },
  {
    what: "what was logged before the first look",
    looks: [[0, 999, 999], [30, 99, 0], [60, 99, 99]],
    says: "ok",
  },
  { what: "a log that is gone", looks: [[0, 0, 0], [30, 99, 99], [60, "failed"]], says: "unknown" },
  {
    what: "a log that was gone between",
    looks: [[0, 0, 0], [30, 99, 99], [40, "failed"], [45, 0, 0], [75, 99, 99]],
    says: "ok",
  },
  {
    what: "two bad stretches and no visitors since",
    looks: [[0, 0, 0], [30, 99, 99], [60, 99, 99], [90, 0, 0]],
    says: "ok",
  },
];

for (const { what, looks, says } of CASES) {
  Deno.test(`watchErrors() says ${says} after ${what}`, () => {
    const last = watchAll(looks).at(-1);
    assertEquals(last && saysOf(last.result), says);
  });
}

Deno.test("watchErrors() says the same until the next stretch is over", () => {
  const watches = watchAll([[0, 0, 0], [30, 99, 99], [60, 99, 99], [75, 99, 0], [89, 99, 0], [90, 1, 0]]);
  assertEquals(watches.map(({ result }) => saysOf(result)), [
    "unknown",
    "ok",
    "drain",
    "drain",
    "drain",
    "ok",
  ]);
});

Deno.test("watchErrors() knows nothing of a log in another format", () => {
  const counts = ok({ requestCount: 0, errorCount: 0, unreadableCount: 20 });
  assertEquals(watchErrors(NO_ERRORS_WATCHED, counts, 0, LEVELS).result, {
    state: "unknown",
    evidence: "20 lines of the access log, none in the format that is configured",
  });
});
