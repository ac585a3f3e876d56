import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { HOLDING_STATE } from "../testing/state.ts";
import { ageOfState, parseState, renderState } from "./state.ts";

Deno.test("parseState() reads what renderState() writes", () => {
  assertEquals(parseState(renderState(HOLDING_STATE), "x"), HOLDING_STATE);
  const calm = { ...HOLDING_STATE, hold: undefined, load1Percent: undefined, tier: "unknown" } as const;
  assertEquals(parseState(renderState(calm), "x"), calm);
});

Deno.test("parseState() reads or refuses every damaged text", () => {
  assertReadsOrRefuses(renderState(HOLDING_STATE), (text) => void renderState(parseState(text, "x")));
});

Deno.test("parseState() takes what it knows from an agent of a later version", () => {
  const later = {
    ...HOLDING_STATE,
    version: 7,
    tier: "meltdown",
    thresholds: { spiderPercent: 210 },
    markers: ["max_load", "melt_load", 3],
    hold: { ...HOLDING_STATE.hold, reason: "tide", phase: 4, services: ["nginx.service", {}] },
    lastErrors: [{ wallMs: "then", text: "x" }, { wallMs: 1, text: "y", level: 3 }, null],
    humidity: 0.4,
  };
  const state = parseState(JSON.stringify(later), "x");
  assertEquals([state.tier, state.thresholds, state.markers], [undefined, undefined, ["max_load"]]);
  assertEquals([state.hold?.sinceBootMs, state.hold?.reason, state.hold?.phase], [
    800_000,
    undefined,
    undefined,
  ]);
  assertEquals(state.hold?.services, ["nginx.service"]);
  assertEquals(state.lastErrors, [{ wallMs: 1, text: "y" }]);
});

Deno.test("parseState() takes the least that an agent can say", () => {
  const state = parseState('{"pid":1,"writtenBootMs":2}', "x");
  assertEquals([state.pid, state.writtenBootMs, state.hold, state.markers], [1, 2, undefined, []]);
});

for (const text of ["", "{", "null", "[]", "{}", '{"pid":1}', '{"pid":-1,"writtenBootMs":2}', '"x"']) {
  Deno.test(`parseState() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseState(text, "/run/status.json"), ParseError, 'Cannot parse "/run/status.json"');
  });
}

Deno.test("ageOfState() counts within one boot alone", () => {
  const { bootId, writtenBootMs } = HOLDING_STATE;
  assertEquals(ageOfState(HOLDING_STATE, { bootId, bootMs: writtenBootMs + 1_500 }), 1_500);
  assertEquals(ageOfState(HOLDING_STATE, { bootId, bootMs: writtenBootMs - 10 }), 0);
  assertEquals(ageOfState(HOLDING_STATE, { bootId: "other", bootMs: writtenBootMs + 1_500 }), undefined);
});
