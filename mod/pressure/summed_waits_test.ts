import { assertEquals } from "@std/assert";
import type { WaitMetric } from "./metrics.ts";
import { addWaits, NO_WAITS } from "./summed_waits.ts";

/** What all looks one after the other come to. */
function totalOf(...looks: readonly Readonly<Record<string, readonly [number, number]>>[]): WaitMetric {
  return looks.reduce((waits, look) =>
    addWaits(
      waits,
      new Map(Object.entries(look).map(([name, [sumS, count]]) => [name, { sumS, count }])),
    ), NO_WAITS).total;
}

Deno.test("addWaits() counts from the first look at each instance on", () => {
  assertEquals(totalOf({ a: [5, 50] }), { sumS: 0, count: 0 });
  assertEquals(totalOf({ a: [5, 50] }, { a: [6, 52], b: [100, 9] }, { a: [6, 52], b: [101, 10] }), {
    sumS: 2,
    count: 3,
  });
});

Deno.test("addWaits() takes one that began anew from 0, and never falls", () => {
  assertEquals(totalOf({ a: [5, 50], b: [1, 1] }, { a: [2, 4], b: [2, 2] }), { sumS: 3, count: 5 });
});

Deno.test("addWaits() goes on where an instance was before it told nothing", () => {
  assertEquals(totalOf({ a: [5, 50] }, {}, { a: [9, 60] }), { sumS: 4, count: 10 });
});
