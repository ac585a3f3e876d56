import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { parseTierUnits, planScaleIn, planScaleOut, type TierUnit, type UnitRun } from "./tier_listing.ts";

const LISTING = `web@10.service loaded    inactive     dead         Web instance 10
web@1.service  loaded    active       running      Web instance 1
web@2.service  loaded    activating   auto-restart Web instance 2
web@3.service  loaded    failed       failed       Web instance 3
web@4.service  loaded    deactivating stop-sigterm Web instance 4
web@5.service  loaded    reloading    reload       Web instance 5
web@6.service  loaded    odd          odd          Web instance 6
web@blue.service loaded  active       running      Web instance blue
web@07.service loaded    active       running      Web instance 07
`;

/** Units with the indexes 1, 2 and so on. */
function unitsOf(...runs: readonly UnitRun[]): readonly TierUnit[] {
  return runs.map((run, at) => ({ index: at + 1, run }));
}

Deno.test("parseTierUnits() reads each state, and leaves out what is no index", () => {
  assertEquals(parseTierUnits(LISTING, "web@.service"), [
    { index: 1, run: "up" },
    { index: 2, run: "changing" },
    { index: 3, run: "failed" },
    { index: 4, run: "changing" },
    { index: 5, run: "up" },
    { index: 6, run: "changing" },
    { index: 10, run: "down" },
  ]);
  assertEquals(parseTierUnits("", "web@.service"), []);
  assertEquals(parseTierUnits("app@1.service loaded active running x\n", "web@.service"), []);
});

Deno.test("parseTierUnits() refuses a list that is cut short", () => {
  assertThrows(() => parseTierUnits(LISTING.slice(0, 100), "web@.service"), ParseError, "line 2");
});

Deno.test("planScaleOut() starts the lowest index that is not up", () => {
  const cases: readonly [string, readonly TierUnit[], number | string][] = [
    ["none", [], 1],
    ["one", unitsOf("up"), 2],
    ["a gap", unitsOf("up", "down", "up"), 2],
    ["failed: no other index", unitsOf("up", "failed"), 2],
    ["all", unitsOf("up", "up", "up"), "3 instances run, of 3 at most"],
    [
      "above the greatest",
      [{ index: 1, run: "up" }, { index: 8, run: "up" }, { index: 9, run: "up" }],
      "3 instances run, of 3 at most",
    ],
    ["one is starting", unitsOf("up", "changing"), "it is being started or stopped, by whomever"],
  ];
  for (const [name, units, expected] of cases) {
    const plan = planScaleOut(units, 3);
    assertEquals(plan.kind === "act" ? plan.index : plan.text, expected, name);
  }
  const failed = planScaleOut(unitsOf("up", "failed"), 3);
  assertEquals(failed.kind === "act" && failed.run, "failed");
});

Deno.test("planScaleIn() stops the highest index that is up, and never the last instance", () => {
  const cases: readonly [string, readonly TierUnit[], number, number | string][] = [
    ["three", unitsOf("up", "up", "up"), 1, 3],
    ["the highest is down", unitsOf("up", "up", "down"), 1, 2],
    ["above the greatest", [...unitsOf("up"), { index: 9, run: "up" }], 1, 9],
    ["at the least", unitsOf("up", "up"), 2, "2 instances run, of 2 at least"],
    ["the last one", unitsOf("up"), 0, "1 instances run, of 1 at least"],
    ["none", [], 1, "0 instances run, of 1 at least"],
    ["one is stopping", unitsOf("up", "up", "changing"), 1, "it is being started or stopped, by whomever"],
  ];
  for (const [name, units, minCount, expected] of cases) {
    const plan = planScaleIn(units, minCount);
    assertEquals(plan.kind === "act" ? plan.index : plan.text, expected, name);
  }
});
