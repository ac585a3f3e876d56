/**
 * Metrics as a page in the text format of Prometheus, version 0.0.4:
 *
 *     # HELP loadweir_tier Tier of the last evaluation: 1 for one of them
 *     # TYPE loadweir_tier gauge
 *     loadweir_tier{tier="normal"} 1
 *
 * @see https://github.com/prometheus/docs/blob/main/docs/instrumenting/exposition_formats.md
 */

import { METRIC_NAMES, type MetricName, METRICS } from "./registry.ts";
import type { Series } from "./series.ts";

/** Media type of the page. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The page: metrics in the order of the table, series of each in the order given. A metric without a series is not there,
 * and of two series with the same labels the first one is: node_exporter would refuse all for them. All of it is ASCII.
 * Never throws.
 */
export function renderMetrics(series: readonly Series[]): string {
  const byName = Map.groupBy(series, ({ name }) => name);
  return METRIC_NAMES.map((name) => renderMetric(name, byName.get(name) ?? [])).join("");
}

function renderMetric(name: MetricName, series: readonly Series[]): string {
  if (series.length === 0) return "";
  const { help, type, labels: labelNames } = METRICS[name];
  const lines = new Map<string, string>();
  for (const { labels, value } of series) {
    const pairs = labelNames.map((label: string) => `${label}="${escapeLabel(labels[label] ?? "")}"`);
    const key = pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
    if (!lines.has(key)) lines.set(key, `${key} ${renderValue(value)}\n`);
  }
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${[...lines.values()].join("")}`;
}

function renderValue(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : `${value}`;
}

/** What is not printable ASCII is written as JSON does: the format has no escape for it, and pages are ASCII. */
function escapeLabel(value: string): string {
  return value.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ).replace(/[\\"]/g, "\\$&");
}
