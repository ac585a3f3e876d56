import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { createLoadHistory, HISTORY_MS, type LoadPoint, SPAN_MS } from "./load_history.ts";

function point(atMs: number, load1Percent?: number, rest: Partial<LoadPoint> = {}): LoadPoint {
  return { atMs, load1Percent, load5Percent: load1Percent, isHeld: false, ...rest };
}

Deno.test("createLoadHistory() keeps the peak of each span, and that the web was held in it", () => {
  const history = createLoadHistory();
  history.note(point(100_000, 20));
  history.note(point(103_000, 90, { load5Percent: 5, isHeld: true }));
  history.note(point(106_000, 30));
  history.note(point(111_000, 40));
  assertEquals(history.spans(112_000), [
    { startMs: 100_000, load1Percent: 90, load5Percent: 30, isHeld: true },
    { startMs: 110_000, load1Percent: 40, load5Percent: 40, isHeld: false },
  ]);
});

Deno.test("createLoadHistory() takes an unknown load for unknown, not for 0", () => {
  const history = createLoadHistory();
  history.note(point(100_000));
  assertEquals(history.spans(101_000)[0]?.load1Percent, undefined);
  history.note(point(101_000, 3));
  history.note(point(102_000));
  assertEquals(history.spans(103_000)[0]?.load1Percent, 3);
});

Deno.test("createLoadHistory() forgets what is older than an hour, also where nothing was seen since", () => {
  const history = createLoadHistory();
  history.note(point(100_000, 20));
  assertEquals(history.spans(100_000 + HISTORY_MS).length, 1);
  assertEquals(history.spans(100_000 + HISTORY_MS + SPAN_MS), []);
  history.note(point(50_000_000, 30));
  assertEquals(history.spans(50_000_001).map(({ load1Percent }) => load1Percent), [30]);
});

Deno.test("createLoadHistory() never has more than 361 spans, and never loses a peak of the hour", () => {
  const pass = fc.record({ afterMs: fc.integer({ min: 100, max: 60_000 }), percent: fc.nat(2_000) });
  fc.assert(fc.property(fc.array(pass, { minLength: 1, maxLength: 400 }), (passes) => {
    const history = createLoadHistory();
    let nowMs = 0;
    const points = passes.map(({ afterMs, percent }) => point(nowMs += afterMs, percent));
    for (const one of points) history.note(one);
    const spans = history.spans(nowMs);
    assertEquals(spans.length <= 361, true);
    const ofHour = points.filter(({ atMs }) => atMs > nowMs - HISTORY_MS);
    const peakOf = (loads: readonly { readonly load1Percent: number | undefined }[]): number =>
      Math.max(...loads.map(({ load1Percent }) => load1Percent ?? 0));
    assertEquals(peakOf(spans) >= peakOf(ofHour), true);
    assertEquals(peakOf(spans) <= peakOf(points), true);
  }));
});
