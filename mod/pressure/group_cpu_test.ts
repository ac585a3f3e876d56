import { assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { groupCpu, type GroupTotal, noteGroup } from "./group_cpu.ts";
import type { GroupProcess, ProcessGroup } from "./sample.ts";

function process(pid: number, cpuS: number, more: Partial<GroupProcess> = {}): GroupProcess {
  return {
    pid,
    ppid: 1,
    startTicks: 100,
    cpuTicks: Math.round(cpuS * 100),
    reapedTicks: 0,
    rssKib: 1_000,
    ...more,
  };
}

const BEFORE_MS = 60_000;
const NEW = { startTicks: 6_050 };

Deno.test("groupCpu() sums what each process used, though the sum of them falls", () => {
  const before = [process(1, 10), process(2, 20)];
  const after = [process(2, 20.5), process(3, 0.2, NEW)];
  assertAlmostEquals(groupCpu(before, BEFORE_MS, after).cpuS, 0.7);
});

Deno.test("groupCpu() takes the end of a process from the parent that waited for it", () => {
  const before = [process(10, 1), process(11, 5, { ppid: 10 })];
  const after = [process(10, 1.25, { reapedTicks: 540 })];
  // The worker ended at 5.40 s, of which 5.00 s were counted.
  assertAlmostEquals(groupCpu(before, BEFORE_MS, after).cpuS, 0.65);
});

Deno.test("groupCpu() counts a child that was never seen with its parent", () => {
  const after = [process(10, 1, { reapedTicks: 30 })];
  assertAlmostEquals(groupCpu([process(10, 1)], BEFORE_MS, after).cpuS, 0.3);
});

Deno.test("groupCpu() starts at nothing with a process that is older than the look before and was not in it", () => {
  assertEquals(groupCpu([], BEFORE_MS, [process(7, 900)]).cpuS, 0);
});

Deno.test("groupCpu() takes a pid that is used again for another process", () => {
  assertAlmostEquals(groupCpu([process(7, 900)], BEFORE_MS, [process(7, 0.1, NEW)]).cpuS, 0.1);
});

Deno.test("groupCpu() tells what each process used", () => {
  const { byProcess } = groupCpu([process(1, 3), process(2, 4)], BEFORE_MS, [process(1, 3.9), process(2, 4)]);
  assertEquals(byProcess.map(({ key, cpuS }) => [key, Math.round(cpuS * 100)]), [["1:100", 90], [
    "2:100",
    0,
  ]]);
});

Deno.test("groupCpu() is never negative, whatever the counters do", () => {
  const processes = fc.array(
    fc.record({
      pid: fc.integer({ min: 1, max: 6 }),
      ppid: fc.integer({ min: 0, max: 6 }),
      startTicks: fc.constantFrom(100, 6_050),
      cpuTicks: fc.nat(1_000),
      reapedTicks: fc.integer({ min: -1_000, max: 1_000 }),
      rssKib: fc.constant(1),
    }),
    { maxLength: 6 },
  );
  fc.assert(fc.property(processes, processes, (before, after) => {
    const { cpuS, byProcess } = groupCpu(before, BEFORE_MS, after);
    return cpuS >= 0 && byProcess.every((one) => one.cpuS >= 0);
  }));
});

/** What a group used over looks, one second apart; undefined is a look that failed. */
function totalOver(looks: readonly (ProcessGroup | undefined)[], bootMs = BEFORE_MS): number {
  let total: GroupTotal | undefined;
  for (const [index, group] of looks.entries()) {
    total = noteGroup(total, group, bootMs + index * 1_000).total;
  }
  return total?.cpuS ?? 0;
}

const parent = (reapedS: number): GroupProcess => process(10, 1, { reapedTicks: reapedS * 100 });
const worker = (cpuS: number): GroupProcess => process(11, cpuS, { ppid: 10 });

for (
  const [name, looks, cpuS] of [
    ["a look that failed", [[process(1, 5)], undefined, [process(1, 7)]], 2],
    ["looks that failed before the first", [undefined, undefined, [process(1, 5)], [process(1, 6)]], 1],
    ["a child that is waited for in the same look", [[parent(0), worker(60)], [parent(60.5)]], 0.5],
    ["a child that is waited for looks later", [
      [parent(0), worker(60)],
      [parent(0)],
      undefined,
      [parent(0)],
      [parent(60.5)],
    ], 0.5],
    ["a child that nobody waits for", [[parent(0), worker(60)], [parent(0)], [parent(0)]], 0],
    ["a group that was empty", [[process(1, 5)], [], [process(2, 0.5, { startTicks: 6_150 })]], 0.5],
  ] as const
) {
  Deno.test(`noteGroup() counts ${name}`, () => assertAlmostEquals(totalOver(looks), cpuS));
}

Deno.test("noteGroup() forgets what was left of children with their parent", () => {
  const one = noteGroup(undefined, [parent(0), worker(60), process(9, 0)], BEFORE_MS);
  const two = noteGroup(one.total, [parent(0), process(9, 0)], BEFORE_MS + 1_000);
  const three = noteGroup(two.total, [process(9, 0)], BEFORE_MS + 2_000);
  assertEquals([two, three].map(({ total }) => [...total.unreapedTicks]), [[["10:100", 6_000]], []]);
});
