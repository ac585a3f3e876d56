import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { type CounterPoint, increaseOf } from "./counter.ts";

interface Row {
  readonly id: string;
  readonly samples: readonly (number | null)[];
  readonly identity: readonly string[];
  readonly tolerance: number;
  readonly increase: number;
  readonly resets: number;
  readonly note: string;
}

const GOLDEN = new URL("../../fixtures/golden/pressure/counters.jsonl", import.meta.url);
const ROWS: Row[] = Deno.readTextFileSync(GOLDEN).trimEnd().split("\n").map((line) => JSON.parse(line));

function pointsOf(values: readonly (number | null | undefined)[], identity = "a"): CounterPoint[] {
  return values.map((value, index) => ({ monotonicMs: index * 1000, value: value ?? undefined, identity }));
}

for (const { id, samples, identity, tolerance, increase, resets, note } of ROWS) {
  Deno.test(`increaseOf() gives golden ${id}: ${note}`, () => {
    const points = pointsOf(samples).map((point, index) => ({ ...point, identity: identity[index] ?? "" }));
    const actual = increaseOf(points, tolerance);
    assert(actual !== undefined);
    assertAlmostEquals(actual.increase, increase, 1e-9);
    assertEquals(actual.resetsCount, resets);
  });
}

Deno.test("increaseOf() has all golden rows", () => {
  assertEquals(ROWS.length, 8);
});

Deno.test("increaseOf() tells the time between the values that it has, not between the samples", () => {
  assertEquals(increaseOf(pointsOf([undefined, 100, undefined, undefined, 130, undefined]))?.overMs, 3000);
});

Deno.test("increaseOf() begins its time again with another identity, resets too", () => {
  const points = [...pointsOf([5, 3, 9], "a"), ...pointsOf([1, 4], "b")];
  assertEquals(increaseOf(points), { increase: 3, overMs: 1000, resetsCount: 0 });
});

Deno.test("increaseOf() sees another identity in a sample without value", () => {
  const points = [...pointsOf([5], "a"), ...pointsOf([undefined], "b"), ...pointsOf([7], "a")];
  assertEquals(increaseOf(points), undefined);
});

for (const values of [[], [undefined], [3], [3, undefined]]) {
  Deno.test(`increaseOf() knows nothing from ${JSON.stringify(values)}`, () => {
    assertEquals(increaseOf(pointsOf(values)), undefined);
  });
}

Deno.test("increaseOf() knows nothing from the first value of another process", () => {
  assertEquals(increaseOf([...pointsOf([1, 2], "a"), ...pointsOf([9], "b")]), undefined);
});

Deno.test("increaseOf() takes a counter that was created later for a reset, even if it is higher", () => {
  const points = pointsOf([100, 101]);
  const created = points.map((point, index) => ({ ...point, createdS: 1000 + index }));
  assertEquals(increaseOf(created), { increase: 101, overMs: 1000, resetsCount: 1 });
  const same = points.map((point) => ({ ...point, createdS: 1000 }));
  assertEquals(increaseOf(same), { increase: 1, overMs: 1000, resetsCount: 0 });
});

Deno.test("increaseOf() takes a fall by the tolerance for a reset, and one by less for jitter", () => {
  assertEquals(increaseOf(pointsOf([10, 7, 8]), 3), { increase: 8, overMs: 2000, resetsCount: 1 });
  assertEquals(increaseOf(pointsOf([10, 8, 11]), 3), { increase: 1, overMs: 2000, resetsCount: 0 });
});

Deno.test("increaseOf() is never negative, and spans what is missing", () => {
  const values = fc.array(fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined }));
  fc.assert(fc.property(values, fc.constantFrom(0, 0.5, 1e6), (given, tolerance) => {
    const actual = increaseOf(pointsOf(given), tolerance);
    const there = given.filter((value) => value !== undefined);
    assertEquals(actual?.increase, increaseOf(pointsOf(there), tolerance)?.increase);
    assertEquals(actual === undefined, there.length < 2);
    assert(actual === undefined || (actual.increase >= 0 && actual.overMs > 0));
  }));
});
