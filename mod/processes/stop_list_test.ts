import { assertEquals, assertThrows } from "@std/assert";
import * as fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";
import {
  type NextStep,
  nextStepOf,
  parseStopList,
  renderStopList,
  type StoppedProcess,
  WANTED,
} from "./stop_list.ts";

const CHOSEN: StoppedProcess = { pid: 4120, startTicks: 1_893_321, wanted: "end", sinceBootMs: 1_000 };
const OTHER: StoppedProcess = { ...CHOSEN, wanted: "go-on" };

Deno.test("parseStopList() reads what renderStopList() wrote", () => {
  const process = fc.record({
    pid: fc.nat(),
    startTicks: fc.nat(),
    wanted: fc.constantFrom(...WANTED),
    sinceBootMs: fc.nat(),
  });
  fc.assert(fc.property(fc.record({ bootId: fc.string(), processes: fc.array(process) }), (list) => {
    assertEquals(parseStopList(renderStopList(list), "stopped.json"), list);
  }));
});

Deno.test("parseStopList() refuses what is torn, of another version or not known", () => {
  const text = renderStopList({ bootId: "this", processes: [CHOSEN] });
  for (
    const bad of [
      text.slice(0, 60),
      text.replace('"version": 1', '"version": 2'),
      text.replace('"end"', '"die"'),
      text.replace("4120", "-1"),
      text.replace('"pid"', '"id"'),
    ]
  ) {
    assertThrows(() => parseStopList(bad, "stopped.json"), ParseError, "stopped.json");
  }
});

Deno.test("nextStepOf() ends what was chosen and is stopped, and lets another one go on", () => {
  for (const nowBootMs of [1_000, 500_000]) {
    assertEquals(nextStepOf(CHOSEN, "T", nowBootMs), "end");
    assertEquals(nextStepOf(OTHER, "T", nowBootMs), "continue");
  }
});

Deno.test("nextStepOf() touches nothing that is not stopped", () => {
  const rows: readonly (readonly [string | undefined, number, NextStep])[] = [
    [undefined, 1_000, "forget"],
    ["R", 1_000, "wait"],
    ["S", 120_999, "wait"],
    ["S", 121_000, "forget"],
    ["t", 121_000, "forget"],
    ["D", 500_000, "wait"],
  ];
  for (const [state, nowBootMs, step] of rows) {
    assertEquals([nextStepOf(CHOSEN, state, nowBootMs), nextStepOf(OTHER, state, nowBootMs)], [step, step]);
  }
});
