import { assert, assertEquals, assertMatch } from "@std/assert";
import { CALM_COURSE, OVERRUN_COURSE, pageInput } from "../testing/page.ts";
import { chartText, renderChart } from "./chart.ts";
import type { PageLoad, PageModel } from "./page_model.ts";
import { type PageInput, pageModel } from "./page_of_now.ts";

const CALM = pageModel(pageInput(CALM_COURSE));
const OVERRUN = pageModel(pageInput(OVERRUN_COURSE));

function withLoads(loads: readonly Partial<PageLoad>[]): PageModel {
  const known = { agoMs: 0, load1Percent: 50, load5Percent: 50, isHeld: false };
  return { ...CALM, history: { ...CALM.history, loads: loads.map((load) => ({ ...known, ...load })) } };
}

function courseOf(model: PageModel, name: "load1" | "load5"): string {
  return new RegExp(`class="${name}"\\s+d="([^"]*)"`).exec(renderChart(model).markup)?.[1] ?? "";
}

Deno.test("renderChart() draws an hour in no more points than can be told apart", () => {
  const course = courseOf(OVERRUN, "load1");
  assertMatch(course, /^M[\d.]+ [\d.]+h\.01(?:L[\d.]+ [\d.]+)+$/);
  const count = course.split("L").length;
  assert(count > 340 && count <= 361, `${count}`);
});

Deno.test("renderChart() draws no line where nothing was known, and a dot where one pass was", () => {
  const minute = 60_000;
  assertEquals(
    courseOf(withLoads([{ agoMs: 30 * minute }, { agoMs: 10 * minute }]), "load1").match(/M/g)?.length,
    2,
  );
  const gap = [{ agoMs: 20_000 }, { agoMs: 10_000, load1Percent: null }, { agoMs: 0 }];
  assertEquals(courseOf(withLoads(gap), "load1").match(/[ML]/g)?.join(""), "MM");
  assertEquals(courseOf(withLoads(gap), "load5").match(/[ML]/g)?.join(""), "MLL");
});

Deno.test("renderChart() shows the thresholds up to the first one above the peak", () => {
  const names = (model: PageModel): readonly (string | undefined)[] =>
    [...renderChart(model).markup.matchAll(/class="threshold (\w+)"/g)].map(([, name]) => name);
  assertEquals(names(CALM), ["spider"]);
  assertEquals(names(OVERRUN), ["spider", "resume", "max", "crit"]);
});

Deno.test("renderChart() writes no word of a threshold over another one", () => {
  const near: PageInput["rules"] = {
    ...pageInput(OVERRUN_COURSE).rules,
    spiderPercent: 600,
    resumePercent: 605,
    critPercent: 620,
  };
  const { markup } = renderChart(pageModel(pageInput(OVERRUN_COURSE, { rules: near })));
  const heights = [...markup.matchAll(/class="threshold-name \w+"\s+x="2"\s+y="([^"]+)"/g)].map(([, y]) =>
    Number(y)
  );
  assert(heights.length >= 3, markup);
  heights.slice(1).forEach((y, at) => assert((heights[at] ?? 0) - y > 12.9, heights.join()));
});

Deno.test("renderChart() shades the time in which the web was held", () => {
  const held = [...renderChart(OVERRUN).markup.matchAll(/class="held"\s+x="([\d.]+)%"\s+width="([\d.]+)%"/g)];
  assertEquals(held.length, 1);
  const [, from, width] = held[0] ?? [];
  // Held for 636 s of 3 600, to now.
  assert(Math.abs(Number(from) - 82.3) < 0.5 && Math.abs(Number(width) - 17.7) < 0.5, `${from} ${width}`);
});

Deno.test("chartText() tells the course to who does not see it", () => {
  assertEquals(chartText(OVERRUN), "Peak 686.0 % (1m) at 09:51 UTC, over MAX 610 %, web held once.");
  assertEquals(chartText(CALM), "Peak 67.0 % (1m) at 09:06 UTC, never over a threshold, web never held.");
  assertEquals(
    chartText(withLoads([{ agoMs: 120_000 }])),
    "Since 09:58 UTC, when this agent began to look: peak 50.0 % (1m) at 09:58 UTC, never over a threshold, " +
      "web never held.",
  );
  assertEquals(
    chartText(withLoads([{ load1Percent: null, load5Percent: null }])),
    "No load has been read yet.",
  );
});
