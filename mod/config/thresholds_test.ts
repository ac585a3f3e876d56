import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { defaultConfig } from "./schema.ts";
import { loadFigure, thresholdsOf } from "./thresholds.ts";

Deno.test("thresholdsOf() gives the exact decimal products of the defaults", () => {
  assertEquals(thresholdsOf(defaultConfig()), {
    spiderPercent: 210,
    maxPercent: 610,
    critPercent: 810,
    taskPercent: 310,
    resumePercent: 488,
  });
});

Deno.test("thresholdsOf() gives the double nearest to each decimal product", () => {
  const digits = fc.integer({ min: 1, max: 99_999 });
  fc.assert(
    fc.property(digits, fc.integer({ min: 1, max: 9999 }), (ratioDigits, fractionDigits) => {
      const config = {
        ...defaultConfig(),
        maxRatio: ratioDigits / 10_000,
        resumeFraction: fractionDigits / 10_000,
      };
      const { maxPercent, resumePercent } = thresholdsOf(config);
      assertEquals(maxPercent, Number(`${ratioDigits}e-2`));
      assertEquals(resumePercent, Number(`${BigInt(ratioDigits) * BigInt(fractionDigits)}e-6`));
      assert(resumePercent > 0 && resumePercent < maxPercent);
    }),
  );
});

Deno.test("thresholdsOf() keeps resume below max at the ends of both ranges", () => {
  for (const maxRatio of [0.0001, 1_000_000]) {
    for (const resumeFraction of [0.0001, 0.9999]) {
      const { maxPercent, resumePercent } = thresholdsOf({ ...defaultConfig(), maxRatio, resumeFraction });
      assert(resumePercent > 0 && resumePercent < maxPercent, `${maxRatio} x ${resumeFraction}`);
    }
  }
});

Deno.test("loadFigure() is the load average of a percentage on so many CPUs", () => {
  const rows: readonly [number, number, number][] = [
    [610, 2, 12.2],
    [210, 2, 4.2],
    [488, 2, 9.76],
    [810, 64, 518.4],
    [612.5, 3, 18.38],
    [0, 4, 0],
  ];
  for (const [percent, cpuCount, expected] of rows) assertEquals(loadFigure(percent, cpuCount), expected);
});
