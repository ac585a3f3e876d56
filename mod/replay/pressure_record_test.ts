import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { evaluateRecord, parsePressureRecord } from "./pressure_record.ts";

const ROWS = new URL("../../fixtures/golden/pressure/evaluations.jsonl", import.meta.url);

for (const [index, line] of Deno.readTextFileSync(ROWS).trimEnd().split("\n").entries()) {
  const { id, note, expect } = JSON.parse(line);
  Deno.test(`evaluateRecord() gives the right result: ${id} ${note}`, () => {
    const record = parsePressureRecord(line, "evaluations.jsonl", index + 1);
    const { reasonCode: _, ...printed } = evaluateRecord(record);
    assertEquals(JSON.parse(JSON.stringify(printed)), { id, ...expect });
  });
}

const GOOD = { id: "G", input: JSON.parse(Deno.readTextFileSync(ROWS).split("\n")[0] ?? "").input };

for (
  const [name, line, problem] of [
    ["no JSON", "oops", '"oops" is no JSON, expected {"id": …, "input": {…}}'],
    ["no input", '{"id":"G"}', 'expected {"id": "…", "input": {…}}'],
    [
      "a text for a number",
      withInput({ cpu: "much" }),
      'input.cpu is "\\"much\\"", expected a number, null or "NaN"',
    ],
    ["a missing count", withInput({ instances: null }), "input.instances is missing, expected a number"],
    ["an unknown mode", withInput({ mode: "off" }), "input.mode is"],
    [
      "an unknown application",
      withInput({ apps: { ruby: {} } }),
      'input.apps has "ruby", expected php, node or python',
    ],
    [
      "an unknown threshold",
      withInput({ config: { lag: 1 } }),
      'input.config has "lag", expected scaleOutAbove',
    ],
    ["a threshold of another kind", withInput({ config: { confirm: "2" } }), "input.config.confirm is"],
  ] as const
) {
  Deno.test(`parsePressureRecord() refuses ${name}, with its line`, () => {
    const error = assertThrows(() => parsePressureRecord(line, "trace", 7), ParseError);
    assert(error.message.includes(problem), error.message);
    assert(error.message.startsWith('Cannot parse "trace" line 7: '), error.message);
  });
}

Deno.test("parsePressureRecord() takes other thresholds than those of the line", () => {
  const record = parsePressureRecord(JSON.stringify(GOOD), "trace", 1, { scaleOutAbove: 0.99 });
  assertEquals(evaluateRecord(record)["action"], "None");
});

function withInput(changed: Record<string, unknown>): string {
  return JSON.stringify({ ...GOOD, input: { ...GOOD.input, ...changed } });
}
