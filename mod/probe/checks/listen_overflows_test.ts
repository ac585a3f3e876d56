import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import type { TcpExt } from "../../proc/net_netstat.ts";
import { absent, failed, ok, type Reading } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import type { CheckResult } from "../check.ts";
import { DEFAULT_THRESHOLDS } from "../thresholds.ts";
import { type OverflowWatch, watchOverflows } from "./listen_overflows.ts";

const LEVELS = DEFAULT_THRESHOLDS.listenOverflowsPerS;

function counted(listenOverflowCount: number | undefined): Reading<TcpExt> {
  return ok({
    listenOverflowCount,
    listenDropCount: 0,
    requestQueueDropCount: 0,
    requestQueueCookieCount: 0,
    abortOnMemoryCount: 0,
  });
}

/** Looks at these seconds with these counts. */
function watchAll(
  looks: readonly (readonly [atS: number, count: number | "failed"])[],
): { readonly watch: OverflowWatch; readonly results: readonly CheckResult[] } {
  const results: CheckResult[] = [];
  let watch: OverflowWatch = [];
  for (const [atS, count] of looks) {
    const next = watchOverflows(
      watch,
      count === "failed" ? failed("cut") : counted(count),
      atS * 1000,
      LEVELS,
    );
    watch = next.watch;
    results.push(next.result);
  }
  return { watch, results };
}

function saysAfter(looks: readonly (readonly [atS: number, count: number | "failed"])[]): string {
  const last = watchAll(looks).results.at(-1);
  return last === undefined ? "" : saysOf(last);
}

const CASES: readonly {
  readonly what: string;
  readonly looks: readonly (readonly [number, number | "failed"])[];
  readonly says: string;
}[] = [
  { what: "the first look", looks: [[0, 9_000]], says: "unknown" },
  { what: "60 lost in a minute", looks: [[0, 1_000], [60, 1_060]], says: "ok" },
  { what: "61 lost in a minute", looks: [[0, 1_000], [60, 1_061]], says: "warn" },
  { what: "300 lost in a minute", looks: [[0, 1_000], [60, 1_300]], says: "warn" },
  { what: "301 lost in a minute", looks: [[0, 1_000], [60, 1_301]], says: "drain" },
  { what: "40 lost in the first five seconds", looks: [[0, 1_000], [5, 1_040]], says: "ok" },
  { what: "400 lost in the first five seconds", looks: [[0, 1_000], [5, 1_400]], says: "drain" },
  {
    what: "a flood of more than a minute ago",
    looks: [[0, 1_000], [5, 9_000], [10, 9_000], [65, 9_000], [70, 9_000]],
    says: "ok",
  },
  { what: "a counter that begins anew", looks: [[0, 9_000], [5, 3]], says: "unknown" },
  { what: "a gap of more than two minutes", looks: [[0, 0], [121, 9_000]], says: "unknown" },
  { what: "a look that failed between", looks: [[0, 0], [5, 500], [30, "failed"]], says: "unknown" },
  { what: "a flood across a look that failed", looks: [[0, 0], [30, "failed"], [60, 301]], says: "drain" },
];

for (const { what, looks, says } of CASES) {
  Deno.test(`watchOverflows() says ${says} after ${what}`, () => {
    assertEquals(saysAfter(looks), says);
  });
}

Deno.test("watchOverflows() knows nothing where the kernel does not count", () => {
  assertEquals(saysOf(watchOverflows([], counted(undefined), 0, LEVELS).result), "unknown");
  assertEquals(saysOf(watchOverflows([], absent("no figures"), 0, LEVELS).result), "unknown");
});

Deno.test("watchOverflows() keeps a minute at most, and counts no loss twice", () => {
  const GROWTH = fc.array(fc.tuple(fc.integer({ min: 100, max: 20_000 }), fc.nat({ max: 2_000 })), {
    maxLength: 300,
    size: "max",
  });
  fc.assert(
    fc.property(GROWTH, (rows) => {
      let watch: OverflowWatch = [];
      let nowMs = 0;
      let count = 0;
      for (const [gapMs, lost] of rows) {
        const next = watchOverflows(watch, counted(count += lost), nowMs += gapMs, LEVELS);
        watch = next.watch;
        assert(watch.length <= 62, `${watch.length} looks kept`);
        if (next.result.state !== "unknown") assert((next.result.numbers.lostCount ?? NaN) <= count);
      }
    }),
    { numRuns: 300 },
  );
});
