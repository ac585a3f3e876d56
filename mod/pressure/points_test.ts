import { assertEquals } from "@std/assert";
import { FRESH_MS, nearestRank, type Point, rateOf, withPoint } from "./points.ts";

interface Total extends Point {
  readonly total: number | undefined;
}

const at = (atMs: number, total?: number): Total => ({ atMs, total });

for (
  const [name, points, perS] of [
    ["no point", [], undefined],
    ["one point", [at(0, 5)], undefined],
    ["two points", [at(0, 5), at(2_000, 9)], 2],
    ["a look in between that failed", [at(0, 5), at(1_000), at(2_000, 9)], 2],
    ["looks that were late", [at(0, 0), at(1_400, 1.4)], 1],
    ["a last look that failed", [at(0, 0), at(1_000, 3), at(1_000 + FRESH_MS)], 3],
    ["nothing fresh", [at(0, 0), at(1_000, 3), at(1_001 + FRESH_MS)], undefined],
    ["two points of one time", [at(0, 0), at(0, 3)], undefined],
  ] as const
) {
  Deno.test(`rateOf() gives the growth over ${name}`, () => {
    assertEquals(rateOf(points, ({ total }) => total), perS);
  });
}

Deno.test("withPoint() lets go what is as old as the window", () => {
  const points = [at(0), at(1), at(15_000)].reduce<readonly Total[]>(
    (before, point) => withPoint(before, point, 15_000),
    [],
  );
  assertEquals(points.map(({ atMs }) => atMs), [1, 15_000]);
});

const FIFTEEN = Array.from({ length: 15 }, (_, index) => index + 1);

for (
  const [name, values, quantile, found] of [
    ["nothing", [], 0.9, undefined],
    ["one value", [7], 0.9, 7],
    ["15 values, of which it is the 14th", FIFTEEN, 0.9, 14],
    ["12 values, of which it is the 11th", FIFTEEN.slice(0, 12), 0.9, 11],
    ["values in any order", [3, 1, 2], 1, 3],
    ["one NaN of 15, which is the largest", [...FIFTEEN.slice(1), NaN], 0.9, 15],
    ["two NaN of 15", [...FIFTEEN.slice(2), NaN, NaN], 0.9, NaN],
    ["an infinite value", [1, Infinity], 1, Infinity],
  ] as const
) {
  Deno.test(`nearestRank() of ${name}`, () => assertEquals(nearestRank(values, quantile), found));
}
