import { assert, assertEquals } from "@std/assert";
import { METRIC_NAMES } from "../mod/metrics/registry.ts";
import { renderMetricsTable } from "./metrics_table.ts";

Deno.test("renderMetricsTable() has one row for each metric, with its labels", () => {
  const rows = renderMetricsTable().split("\n").slice(2);
  assertEquals(rows.map((row) => /^\| `(\w+)` \|/.exec(row)?.[1]), [...METRIC_NAMES]);
  assert(rows.includes(
    "| `loadweir_tier` | gauge | `tier` | Tier of the last evaluation: 1 for one of them |",
  ));
  // A stroke in a text would be one more column.
  for (const row of rows) assertEquals(row.split("|").length, 6, row);
});
