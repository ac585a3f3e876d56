/** Writes the table of all metrics into their document; with `--check` it only looks whether it is there. */

import { METRIC_NAMES, METRICS } from "../mod/metrics/registry.ts";
import { placeTable } from "./document_table.ts";

/** All metrics as a Markdown table, in the order in which they are printed. */
export function renderMetricsTable(): string {
  const rows = METRIC_NAMES.map((name) => {
    const { type, help, labels } = METRICS[name];
    return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(" ")} | ${help} |`;
  });
  return ["| metric | type | labels | what it is |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

if (import.meta.main) {
  await placeTable(
    { file: "docs/prometheus.md", subject: "metrics", table: renderMetricsTable() },
    Deno.args,
  );
}
