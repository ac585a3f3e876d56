import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { busyRatio, iowaitPercent } from "./cpu_share.ts";
import { type CpuTimes, parseProcStat } from "./proc/stat.ts";

function cpuTimes(path: string): CpuTimes {
  const url = new URL(`../fixtures/cases/${path}/proc/stat`, import.meta.url);
  return parseProcStat(Deno.readTextFileSync(url)).cpuTimes;
}

const ZERO: CpuTimes = {
  userTicks: 0,
  niceTicks: 0,
  systemTicks: 0,
  idleTicks: 0,
  iowaitTicks: 0,
  irqTicks: 0,
  softirqTicks: 0,
  stealTicks: 0,
};

const CASES = [
  { of: "c02-stat-8-columns-no-softirq-line", from: "t0", to: "t1", percent: 13.9 },
  { of: "c04-stat-9-columns", from: "t0", to: "t1", percent: 4.2 },
  { of: "c05-stat-iowait-decreases", from: "t0", to: "t1", percent: 0 },
  { of: "c07-stat-steal-runs-backwards", from: "t0", to: "t1", percent: 2.2 },
  { of: "c08-stat-total-drops-after-live-migration", from: "t0", to: "t1", percent: undefined },
  { of: "c08-stat-total-drops-after-live-migration", from: "t1", to: "t2", percent: 5 },
];

for (const { of, from, to, percent } of CASES) {
  Deno.test(`iowaitPercent() is ${percent} for ${of} from ${from} to ${to}`, () => {
    assertEquals(iowaitPercent(cpuTimes(`${of}/${from}`), cpuTimes(`${of}/${to}`)), percent);
  });
}

Deno.test("iowaitPercent() rounds halves up", () => {
  // 1 of 2000 ticks is exactly 0.05 %, 1 of 2001 is a little less.
  assertEquals(iowaitPercent(ZERO, { ...ZERO, iowaitTicks: 1, idleTicks: 1999 }), 0.1);
  assertEquals(iowaitPercent(ZERO, { ...ZERO, iowaitTicks: 1, idleTicks: 2000 }), 0);
  assertEquals(iowaitPercent(ZERO, { ...ZERO, iowaitTicks: 199, idleTicks: 1801 }), 10);
});

Deno.test("iowaitPercent() has all eight counters in the whole", () => {
  const one = { ...ZERO, iowaitTicks: 1 };
  for (const column of Object.keys(ZERO) as (keyof CpuTimes)[]) {
    assertEquals(iowaitPercent(ZERO, { ...one, [column]: 1 }), column === "iowaitTicks" ? 100 : 50, column);
  }
});

Deno.test("iowaitPercent() is undefined when no counter grew", () => {
  assertEquals(iowaitPercent(ZERO, ZERO), undefined);
});

const FALLS = [
  { what: "idle falls by 3 s", fall: { idleTicks: 300 }, percent: 50 },
  { what: "idle falls by more", fall: { idleTicks: 301 }, percent: undefined },
  { what: "all counters together fall by 3 s", fall: { niceTicks: 200, systemTicks: 120 }, percent: 50 },
  {
    what: "all counters together fall by more",
    fall: { niceTicks: 200, systemTicks: 121 },
    percent: undefined,
  },
  { what: "steal falls by days", fall: { stealTicks: 90_000_000 }, percent: 50 },
];

for (const { what, fall, percent } of FALLS) {
  Deno.test(`iowaitPercent() is ${percent} when ${what}`, () => {
    const after: CpuTimes = { ...ZERO, userTicks: 10, iowaitTicks: 10 };
    assertEquals(iowaitPercent({ ...ZERO, ...fall }, after), percent);
    assertEquals(busyRatio({ ...ZERO, ...fall }, after) === undefined, percent === undefined);
  });
}

Deno.test("busyRatio() counts work, not idle and iowait, and leaves steal out", () => {
  const busy = { userTicks: 10, niceTicks: 1, systemTicks: 5, irqTicks: 2, softirqTicks: 2 };
  assertEquals(busyRatio(ZERO, { ...ZERO, ...busy, idleTicks: 15, iowaitTicks: 5 }), 0.5);
  assertEquals(busyRatio(ZERO, { ...ZERO, ...busy, idleTicks: 15, iowaitTicks: 5, stealTicks: 1000 }), 0.5);
  assertEquals(busyRatio(ZERO, { ...ZERO, ...busy }), 1);
  assertEquals(busyRatio(ZERO, { ...ZERO, iowaitTicks: 5 }), 0);
});

Deno.test("busyRatio() is undefined when no time was ours", () => {
  assertEquals(busyRatio(ZERO, ZERO), undefined);
  assertEquals(busyRatio(ZERO, { ...ZERO, stealTicks: 100 }), undefined);
});

Deno.test("busyRatio() does not take a CPU that waits for a dead disk for busy", () => {
  const ratio = busyRatio(
    cpuTimes("c02-stat-8-columns-no-softirq-line/t0"),
    cpuTimes("c02-stat-8-columns-no-softirq-line/t1"),
  );
  assertAlmostEquals(ratio ?? NaN, 400 / 3600);
});

Deno.test("iowaitPercent() and busyRatio() stay in their range for any two looks", () => {
  const ticks = fc.oneof(fc.nat({ max: 1000 }), fc.nat(), fc.double({ min: 0, max: 2 ** 64, noNaN: true }));
  const times = fc.record<CpuTimes>({
    userTicks: ticks,
    niceTicks: ticks,
    systemTicks: ticks,
    idleTicks: ticks,
    iowaitTicks: ticks,
    irqTicks: ticks,
    softirqTicks: ticks,
    stealTicks: ticks,
  });
  fc.assert(
    fc.property(times, times, (before, after) => {
      const percent = iowaitPercent(before, after) ?? 0;
      const ratio = busyRatio(before, after) ?? 0;
      assert(percent >= 0 && percent <= 100, `iowait ${percent}`);
      assert(ratio >= 0 && ratio <= 1, `busy ${ratio}`);
    }),
    { numRuns: 10_000 },
  );
});
