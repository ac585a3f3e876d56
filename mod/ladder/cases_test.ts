import { assert, assertEquals } from "@std/assert";
import { parseLoadavg } from "../proc/loadavg.ts";
import { parseProcStat } from "../proc/stat.ts";
import { ok } from "../reading.ts";
import { actionsOf, BUSY_GATE, climb, DEFAULT_RULES } from "../testing/climb.ts";
import type { LoadSample } from "./sample.ts";
import { percentsOf, tierOf } from "./tier.ts";

const CASES = new URL("../../fixtures/cases/", import.meta.url);

/** The load of a case's `proc` folder, as a proc root would give it. */
function loadOfCase(folder: string): LoadSample {
  const read = (name: string): string => Deno.readTextFileSync(new URL(`${folder}/proc/${name}`, CASES));
  const { load1Hundredths, load5Hundredths, line } = parseLoadavg(read("loadavg"));
  return { load1Hundredths, load5Hundredths, line, cpuCount: parseProcStat(read("stat")).cpuCount };
}

/** What an operator reads: CPUs, both percentages, tier. */
function readingOfCase(folder: string): readonly [number, number, number, string] {
  const load = loadOfCase(folder);
  const percents = percentsOf(load);
  return [load.cpuCount, percents.load1Percent, percents.load5Percent, tierOf(percents, DEFAULT_RULES)];
}

/** Folder, CPUs, 1-minute and 5-minute percentage (null where the case states none), tier. */
const ROWS: readonly (readonly [string, number, number, number | null, string])[] = [
  ["c01-stat-offline-cpus-sparse-ids", 8, 615, 451, "max"],
  ["c10-stat-160-cpus-cut-short", 160, 612.5, null, "max"],
  ["c11-stat-cpu-hotplug-between-samples/t0", 4, 465, null, "spider"],
  ["c11-stat-cpu-hotplug-between-samples/t1", 3, 620, null, "max"],
  ["c11-stat-cpu-hotplug-between-samples/t2", 4, 465, null, "spider"],
  ["c13-gvisor-dummy-loadavg-and-header-only-netstat", 2, 0, 0, "normal"],
  ["c14-loadavg-3446", 32, 10768.9, 3881.5, "crit"],
  ["c16-cpu-max-unlimited", 4, 75, null, "normal"],
  ["c23-psi-read-eopnotsupp", 2, 50, null, "normal"],
  ["c74-ladder-strict-boundaries/a", 4, 610, 250, "spider"],
  ["c74-ladder-strict-boundaries/b", 4, 610.5, 250, "max"],
  ["c74-ladder-strict-boundaries/c", 4, 250, 610.5, "max"],
  ["c74-ladder-strict-boundaries/d", 4, 210, 210, "normal"],
  ["c74-ladder-strict-boundaries/e", 100, 610, 0, "spider"],
  ["c74-ladder-strict-boundaries/f", 4, 810, 25, "max"],
  ["c74-ladder-strict-boundaries/g", 4, 810.5, 25, "crit"],
  ["c76-boa-small-host-loads/a", 2, 102.5, null, "normal"],
  ["c76-boa-small-host-loads/b", 2, 1520, null, "crit"],
  ["c76-boa-small-host-loads/c", 4, 6.8, null, "normal"],
];

for (const [folder, cpuCount, load1Percent, load5Percent, tier] of ROWS) {
  Deno.test(`tierOf() reads the load of ${folder}`, () => {
    const [cpus, load1, load5, seen] = readingOfCase(folder);
    assertEquals([cpus, load1, seen], [cpuCount, load1Percent, tier]);
    if (load5Percent !== null) assertEquals(load5, load5Percent);
  });
}

for (
  const [variant, tiers, actions] of [["a", ["max", "spider"], []], ["b", ["max", "max"], [
    "pause-web",
  ]]] as const
) {
  Deno.test(`step() re-checks c77-recheck-after-9s/${variant} after 9 s`, () => {
    const folders = ["t0", "t9"].map((moment) => `c77-recheck-after-9s/${variant}/${moment}`);
    assertEquals(folders.map((folder) => readingOfCase(folder)[3]), [...tiers]);
    const steps = climb(folders.map((folder, index) => ({
      monotonicMs: index * 9_000,
      wallMs: 0,
      load: ok(loadOfCase(folder)),
      gate: BUSY_GATE,
    })));
    assertEquals(actionsOf(steps), [...actions]);
    assert(steps[1]?.decision.phase === "recheck");
  });
}
