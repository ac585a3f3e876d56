import { assertAlmostEquals, assertEquals } from "@std/assert";
import { absent, failed, ok } from "../reading.ts";
import { hostFiguresOf, type HostWindow, noteHost } from "./host_window.ts";
import type { HostSample } from "./sample.ts";

const HOST: HostSample = {
  cpuCount: 4,
  idleS: ok(0),
  memTotalKib: ok(4_096),
  memAvailableKib: failed("no answer"),
  psiCpuPercent: ok(1.5),
  psiMemoryPercent: absent("none"),
  socketsCount: absent("none"),
};

/** CPUs that idled over looks, one a second; undefined is a look that failed. */
function idleCpus(idleS: readonly (number | undefined)[]): number | undefined {
  let window: HostWindow | undefined;
  for (const [index, seconds] of idleS.entries()) {
    const sample = { ...HOST, idleS: seconds === undefined ? failed("no answer") : ok(seconds) };
    window = noteHost(window, sample, index * 1_000, 15_000);
  }
  return window && hostFiguresOf(window).idleCpus;
}

for (
  const [name, idleS, cpus] of [
    ["one look", [100], undefined],
    ["two looks", [100, 102.5], 2.5],
    ["a look that failed in between", [100, undefined, 105], 2.5],
    ["looks that all failed of late", [100, 102, undefined, undefined, undefined], undefined],
    ["a step back by a hundredth, which is caught up with first", [100, 99.99, 100.5], 0.25],
    ["a CPU that was taken away", [100, 40, 41], 0.5],
    ["a CPU that was added, with all that it idled before", [100, 9_000, 9_001], 2.5],
    ["a CPU that was added while a look failed", [100, undefined, 9_000], 4],
  ] as const
) {
  Deno.test(`hostFiguresOf() gives the idle CPUs of ${name}`, () => {
    const found = idleCpus(idleS);
    if (cpus === undefined) assertEquals(found, undefined);
    else assertAlmostEquals(found ?? NaN, cpus);
  });
}

Deno.test("hostFiguresOf() knows no figure that could not be read", () => {
  const { memTotalMiB, memAvailableMiB, psiCpuPercent, psiMemoryPercent } = hostFiguresOf(
    noteHost(undefined, HOST, 0, 15_000),
  );
  assertEquals([memTotalMiB, memAvailableMiB, psiCpuPercent, psiMemoryPercent], [
    4,
    undefined,
    1.5,
    undefined,
  ]);
});
