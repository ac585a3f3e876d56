import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { CALM_TIER, evaluationOf, HALF_BUSY, SHOP } from "../testing/tiers.ts";
import { parsePressureState, pressureView, renderPressureState } from "./pressure_view.ts";

const VIEW = pressureView(evaluationOf({}, { instances: [HALF_BUSY], apps: [SHOP] }), "boot", []);

Deno.test("parsePressureState() reads what renderPressureState() wrote", () => {
  const read = parsePressureState(renderPressureState(VIEW), "pressure.json");
  assertEquals(read, JSON.parse(JSON.stringify(VIEW)));
});

Deno.test("parsePressureState() takes what another version wrote for what it understands of it", () => {
  const text = JSON.stringify({
    evaluatedBootMs: 5,
    lines: ["a", 1],
    instances: { head: ["x"], rows: [["1"], ["1", "2"], "no row"] },
    apps: 3,
  });
  const { lines, instances, apps, bootId } = parsePressureState(text, "pressure.json");
  assertEquals([lines, instances.rows, apps, bootId], [["a"], [["1"]], { head: [], rows: [] }, ""]);
});

for (const text of ["", "{", "null", "[]", "{}", '{"evaluatedBootMs":"5"}']) {
  Deno.test(`parsePressureState() refuses ${text === "" ? "an empty file" : text}`, () => {
    const error = assertThrows(() => parsePressureState(text, "pressure.json"), ParseError);
    assert(error.message.startsWith('Cannot parse "pressure.json"'), error.message);
  });
}

Deno.test("pressureView() says in short what was found, what to do and what is done", () => {
  assertEquals(VIEW.brief, [
    "WebTierSaturated: web tier: 2 instances at CPU 0.97, loops are 4.0 ms late",
    "scaling out to 3",
    "ScaleOut 2 to 3",
  ]);
  assertEquals(pressureView(evaluationOf({ ...CALM_TIER, mode: "observe" }), "boot", []).brief, [
    "Unknown (idle): idle",
  ]);
});
