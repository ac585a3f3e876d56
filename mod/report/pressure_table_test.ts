import { assertEquals } from "@std/assert";
import { CALM_TIER, evaluationOf, HALF_BUSY, SHOP } from "../testing/tiers.ts";
import { actionText, appTable, classText, instanceTable, pressureLines } from "./pressure_table.ts";

Deno.test("classText() says what an unknown class is, and what else is saturated", () => {
  assertEquals(classText(evaluationOf(CALM_TIER)), "Unknown (idle)");
  const apps = { php: { cpu: 1, queueRising: false } };
  assertEquals(classText(evaluationOf({ apps })), "WebTierSaturated, also PhpSaturated");
});

Deno.test("actionText() says what is done, what would be, and nothing of what a closed gate keeps from it", () => {
  const texts = [
    evaluationOf(),
    evaluationOf({ mode: "observe" }),
    evaluationOf({ mode: "observe", starting: 1 }),
  ];
  assertEquals(texts.map(actionText), ["ScaleOut 2 to 3", "none, would ScaleOut", "none"]);
});

Deno.test("pressureLines() shows bounds where a figure is unknown", () => {
  const line = pressureLines(evaluationOf({ lagP99Ms: undefined })).find((one) => one.startsWith("pressure"));
  assertEquals(line?.includes("0.50..0.97   cpu 0.97   lag 0.00..1.00   cpu_lag 0.50..0.97"), true, line);
});

Deno.test("instanceTable() shows what is unknown by a question mark", () => {
  const { head, rows } = instanceTable([{ ...HALF_BUSY, cpuRatio: undefined, lagP99Ms: NaN }]);
  const cell = (name: string): string | undefined => rows[0]?.[head.indexOf(name)];
  assertEquals(["cpu", "lag ms", "in flight", "conns"].map(cell), ["?", "NaN", "64", "?"]);
});

const pool = {
  name: "www",
  maxCount: 5,
  fullCount: 0,
  looksCount: 0,
  isWaiting: false,
  limitReachedCount: 0,
};

for (
  const [name, more, text] of [
    ["no queue", {}, "-"],
    ["a queue that could not be seen", { isQueueRising: undefined }, "?"],
    ["a queue that rises", { isQueueRising: true }, "rising"],
    ["pools", { pools: [{ ...pool, waitingCount: 2 }, { ...pool, waitingCount: 1 }] }, "3 waiting"],
    ["pools of which one did not tell", {
      pools: [{ ...pool, waitingCount: 2 }, { ...pool, waitingCount: undefined }],
      isQueueRising: true,
    }, "? waiting, rising"],
  ] as const
) {
  Deno.test(`appTable() shows ${name}`, () => {
    const { head, rows } = appTable([{ ...SHOP, ...more }]);
    assertEquals(rows[0]?.[head.indexOf("queue")], text);
  });
}
