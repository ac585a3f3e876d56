import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { evaluateRecord, parsePressureRecord, recordOfAggregates } from "./pressure_record.ts";

const ROWS = new URL("../../fixtures/golden/pressure/evaluations.jsonl", import.meta.url);

for (const [index, line] of Deno.readTextFileSync(ROWS).trimEnd().split("\n").entries()) {
  const { id, note, expect } = JSON.parse(line);
  Deno.test(`evaluateRecord() gives the right result: ${id} ${note}`, () => {
    const record = parsePressureRecord(line, "evaluations.jsonl", index + 1);
    const { reasonCode: _, ...printed } = evaluateRecord(record);
    assertEquals(JSON.parse(JSON.stringify(printed)), { id, ...expect });
  });
}
