import { assertEquals } from "@std/assert";
import { CALM_TIER, evaluationOf, HALF_BUSY, SHOP } from "../testing/tiers.ts";
import { DEFAULT_THRESHOLDS } from "../pressure/rules.ts";
import { renderPressureJournal } from "./pressure_journal.ts";
import { evaluateRecord, parsePressureRecord } from "./pressure_record.ts";

for (
  const [name, evaluation] of [
    ["an action", evaluationOf()],
    [
      "unknown figures",
      evaluationOf({ ...CALM_TIER, cpu: undefined, lagP99Ms: NaN, hostIdleCpus: NaN, connectionsRatio: NaN }),
    ],
    ["other thresholds", evaluationOf({}, { thresholds: { ...DEFAULT_THRESHOLDS, scaleOutAbove: 0.99 } })],
    ["figures of more digits than are printed", evaluationOf({ cpu: 0.750000000000001 })],
  ] as const
) {
  Deno.test(`renderPressureJournal() writes what evaluates again to what was decided: ${name}`, () => {
    const line = renderPressureJournal(evaluation);
    const record = parsePressureRecord(line, "pressure.jsonl", 1);
    const { id, ...again } = evaluateRecord(record);
    assertEquals(JSON.stringify(again), record.decided);
    assertEquals([id, record.wallMs], ["2026-11-30T10:00:05Z", evaluation.wallMs]);
  });
}

Deno.test("renderPressureJournal() tells people of instances and applications, in one line of what JSON can hold", () => {
  const instances = [{
    ...HALF_BUSY,
    cpuRatio: 1 / 3,
    lagP99Ms: NaN,
    latency: { bounds: [], counts: [], sumS: 1 },
  }];
  const line = renderPressureJournal(evaluationOf({}, { instances, apps: [SHOP] }));
  assertEquals(line.includes("\n"), false);
  const { instances: [web], apps: [shop] } = JSON.parse(line);
  assertEquals([web.cpuRatio, web.lagP99Ms, web.openConnectionsCount, web.latency], [
    0.3333,
    "NaN",
    null,
    undefined,
  ]);
  assertEquals([web.score, shop.name, shop.pools], [[0.5, 0.5], "shop", []]);
});
