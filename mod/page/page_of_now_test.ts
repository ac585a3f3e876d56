import { assertEquals } from "@std/assert";
import { CALM_COURSE, OVERRUN_COURSE, pageInput } from "../testing/page.ts";
import { pageModel } from "./page_of_now.ts";

const CALM = pageInput(CALM_COURSE);
const OVERRUN = pageInput(OVERRUN_COURSE);

Deno.test("pageModel() calls a pass late once it is long overdue, and not while a re-check is waited for", () => {
  const isLate = (afterMs: number, actions: readonly "recheck"[] = []): boolean | undefined => {
    const { state, decision } = CALM;
    const nowBootMs = (state?.writtenBootMs ?? 0) + afterMs;
    const waiting = decision && { ...decision, actions };
    return pageModel({ ...CALM, nowBootMs, decision: waiting }).pass?.isLate;
  };
  assertEquals([isLate(15_000), isLate(15_001)], [false, true]);
  assertEquals([isLate(19_000, ["recheck"]), isLate(19_001, ["recheck"])], [false, true]);
  assertEquals(pageModel({ ...CALM, state: undefined }).pass, null);
});

Deno.test("pageModel() tells times of a hold by the clock of people", () => {
  const { hold } = pageModel(OVERRUN);
  assertEquals([hold?.since, hold?.ends, hold?.endsInMs, hold?.reason], [
    "2026-11-30T09:49:28Z",
    "2026-11-30T10:19:28Z",
    1_164_000,
    "max",
  ]);
  assertEquals(pageModel(CALM).hold, null);
});

Deno.test("pageModel() gives a hold by hand to a person, and to no load", () => {
  const { state } = OVERRUN;
  const byHand = state?.hold &&
    { ...state, hold: { ...state.hold, reason: "by-hand" as const, endsBootMs: undefined } };
  const { hold } = pageModel({ ...OVERRUN, state: byHand });
  assertEquals([hold?.waitsFor, hold?.ends], [null, null]);
});

Deno.test("pageModel() tells since when each check stands as it does", () => {
  const { probe } = pageModel(CALM);
  const [site, nginx] = probe?.checks ?? [];
  assertEquals([site?.name, site?.isSite, site?.standing, site?.sinceMs, site?.since], [
    "site:www.example.org",
    true,
    "failed",
    30_000,
    "2026-11-30T09:59:34Z",
  ]);
  assertEquals([nginx?.name, nginx?.isSite, nginx?.standing, nginx?.sinceMs], ["nginx", false, "ok", 35_000]);
});

Deno.test("pageModel() has the thresholds as percent and as load, and null where something is not known", () => {
  assertEquals(pageModel(CALM).thresholds.map(({ name, percent, load }) => [name, percent, load]), [
    ["SPIDER", 210, 4.2],
    ["MAX", 610, 12.2],
    ["CRIT", 810, 16.2],
    ["resume", 488, 9.76],
  ]);
  const { load1Percent, cpuCount, thresholds, tier } = pageModel({ ...CALM, decision: undefined });
  assertEquals([load1Percent, cpuCount, thresholds[0]?.load, tier], [null, null, null, "unknown"]);
});

Deno.test("pageModel() has what pressure came to, with the evidence of its evaluations", () => {
  const { pressure, recent } = pageModel(CALM);
  assertEquals([pressure?.class, pressure?.score.low, pressure?.mode], ["PhpSaturated", 0.395, "observe"]);
  assertEquals(pressure?.components.map(({ name }) => name), [
    "cpu",
    "lag",
    "cpu_lag",
    "inflight",
    "latency",
  ]);
  assertEquals(recent.map(({ about, count }) => [about, count]), [["pressure", 1], ["ladder", 720]]);
});
