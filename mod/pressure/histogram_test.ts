import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { bucketDelta, mergeBuckets, quantileOf } from "./histogram.ts";
import type { Histogram } from "./metrics.ts";

interface Row {
  readonly id: string;
  readonly quantile: number;
  readonly buckets: readonly (readonly [number | "+Inf", number])[];
  readonly expect: number | "NaN";
  readonly note: string;
}

const GOLDEN = new URL("../../fixtures/golden/pressure/quantiles.jsonl", import.meta.url);
const ROWS: Row[] = Deno.readTextFileSync(GOLDEN).trimEnd().split("\n").map((line) => JSON.parse(line));

for (const { id, quantile, buckets, expect, note } of ROWS) {
  Deno.test(`quantileOf() gives golden ${id}: ${note}`, () => {
    const bounds = buckets.map(([bound]) => bound === "+Inf" ? Infinity : bound);
    const actual = quantileOf(quantile, { bounds, counts: buckets.map(([, count]) => count) });
    if (expect === "NaN") assertEquals(actual, { value: NaN, isTruncated: false });
    else {
      assertAlmostEquals(actual.value, expect, 5e-7);
      assertEquals(actual.isTruncated, note.includes("truncated"));
    }
  });
}

Deno.test("quantileOf() has all golden rows", () => {
  assertEquals(ROWS.length, 10);
});

function histogram(counts: Record<string, number>, sumS?: number): Histogram {
  const bounds = Object.keys(counts).map(Number).sort((one, other) => one - other);
  return { bounds, counts: bounds.map((bound) => counts[String(bound)] ?? 0), sumS };
}

Deno.test("quantileOf() takes a first bucket that ends at or below 0 for that value", () => {
  assertEquals(quantileOf(0.5, histogram({ "-1": 9, Infinity: 10 })).value, -1);
  assertEquals(quantileOf(0.5, histogram({ "0": 9, Infinity: 10 })).value, 0);
});

Deno.test("quantileOf() begins at 0, even where the first buckets are empty", () => {
  assertEquals(quantileOf(0, histogram({ "1": 0, "2": 5, Infinity: 5 })).value, 0);
});

Deno.test("quantileOf() lies within the bounds, and rises with the share", () => {
  const counts = fc.array(fc.nat({ max: 1000 }), { minLength: 2, maxLength: 12 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(counts, share, share, (given, one, other) => {
    const buckets = {
      bounds: given.map((_, index) => index + 1 === given.length ? Infinity : index + 1),
      counts: given,
    };
    const [low, high] = [
      quantileOf(Math.min(one, other), buckets),
      quantileOf(Math.max(one, other), buckets),
    ];
    if (Math.max(...given) === 0) return assertEquals(low.value, NaN);
    assert(low.value >= 0 && low.value <= high.value && high.value <= given.length - 1);
    assert(!low.isTruncated || high.isTruncated);
  }));
});

const EARLIER = histogram({ "0.1": 10, "0.5": 20, Infinity: 30 }, 6);

Deno.test("bucketDelta() gives what was added", () => {
  assertEquals(bucketDelta(EARLIER, histogram({ "0.1": 11, "0.5": 25, Infinity: 36 }, 8)), {
    ...histogram({ "0.1": 1, "0.5": 5, Infinity: 6 }, 2),
    isReset: false,
  });
});

Deno.test("bucketDelta() gives nothing added for nothing observed", () => {
  assertEquals(bucketDelta(EARLIER, EARLIER), {
    ...histogram({ "0.1": 0, "0.5": 0, Infinity: 0 }, 0),
    isReset: false,
  });
});

Deno.test("bucketDelta() takes one fallen bucket for a reset of all", () => {
  const later = histogram({ "0.1": 9, "0.5": 25, Infinity: 36 }, 7);
  assertEquals(bucketDelta(EARLIER, later), { ...later, isReset: true });
});

Deno.test("bucketDelta() believes that all began again", () => {
  const later = histogram({ "0.1": 11, "0.5": 25, Infinity: 36 }, 7);
  assertEquals(bucketDelta(EARLIER, later, true), { ...later, isReset: true });
});

Deno.test("bucketDelta() compares the bounds that both have", () => {
  const later = histogram({ "0.1": 11, "0.2": 20, Infinity: 36 });
  assertEquals(bucketDelta(EARLIER, later), { ...histogram({ "0.1": 1, Infinity: 6 }), isReset: false });
});

Deno.test("mergeBuckets() adds counts of equal bounds and leaves the others out", () => {
  const other = histogram({ "0.5": 1, "1": 2, Infinity: 4 }, 3);
  assertEquals(mergeBuckets([EARLIER, other]), histogram({ "0.5": 21, Infinity: 34 }, 9));
  assertEquals(
    mergeBuckets([EARLIER, EARLIER, EARLIER]),
    histogram({ "0.1": 30, "0.5": 60, Infinity: 90 }, 18),
  );
  assertEquals(mergeBuckets([EARLIER, { ...EARLIER, sumS: undefined }]).sumS, undefined);
  assertEquals(mergeBuckets([other]), other);
  assertEquals(mergeBuckets([]), { bounds: [], counts: [], sumS: undefined });
});

Deno.test("mergeBuckets() gives the quantile of all observations, not the mean of quantiles", () => {
  const fast = histogram({ "0.1": 99, "1": 99, Infinity: 99 });
  const slow = histogram({ "0.1": 0, "1": 1, Infinity: 1 });
  assertEquals(quantileOf(0.99, mergeBuckets([fast, slow])).value, 0.1);
});
