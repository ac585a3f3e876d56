import { assertEquals } from "@std/assert";
import { shouldControlProcesses, shouldFanOut } from "./cadence.ts";

/** The passes of the first twenty on which it runs. */
function passes(runs: (pass: number) => boolean): readonly number[] {
  return Array.from({ length: 20 }, (_, pass) => pass).filter(runs);
}

const BY_CPUS = { fanoutEveryPasses: 0 };
const ALL = Array.from({ length: 20 }, (_, pass) => pass);

Deno.test("shouldFanOut() runs on each pass, on each sixth with one CPU, or as configured", () => {
  assertEquals(passes((pass) => shouldFanOut(pass, 2, BY_CPUS)), ALL);
  assertEquals(passes((pass) => shouldFanOut(pass, 1, BY_CPUS)), [0, 6, 12, 18]);
  assertEquals(passes((pass) => shouldFanOut(pass, undefined, BY_CPUS)), [0, 6, 12, 18]);
  assertEquals(passes((pass) => shouldFanOut(pass, 1, { fanoutEveryPasses: 1 })), ALL);
  assertEquals(passes((pass) => shouldFanOut(pass, 64, { fanoutEveryPasses: 10 })), [0, 10]);
});

Deno.test("shouldControlProcesses() never runs at MAX and CRIT", () => {
  const rows = (["normal", "spider", "unknown", "max", "crit"] as const).map((tier) =>
    [tier, passes((pass) => shouldControlProcesses(pass, 1, tier, BY_CPUS)).length] as const
  );
  assertEquals(rows, [["normal", 4], ["spider", 4], ["unknown", 4], ["max", 0], ["crit", 0]]);
});
