/** The rules of alerts and the dashboard: promtool takes them, and they ask for metrics that there are. */

import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { METRIC_NAMES, type MetricName, METRICS } from "../mod/metrics/registry.ts";
import { testNeeding } from "../test/needs.ts";
import { PROJECT } from "./project_files.ts";
import { runToolOk } from "./run_tool.ts";

const PROMTOOL = "/usr/bin/promtool";
const DEADLINE_MS = 60_000;

function read(name: string): string {
  return Deno.readTextFileSync(join(PROJECT, "scripts/prometheus", name));
}

function promtool(...args: readonly string[]): Promise<string> {
  return runToolOk(PROMTOOL, { args, cwd: join(PROJECT, "scripts/prometheus"), deadlineMs: DEADLINE_MS });
}

/** A panel, as far as this looks at it. */
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly Target[];
}

/** A query of a panel. */
interface Target {
  readonly expr: string;
  readonly legendFormat: string;
  readonly instant?: boolean;
  readonly range?: boolean;
}

const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(read("dashboard.json"));
const TARGETS = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

/** A series of ours in an expression: its name, and what is between the braces. */
const SELECTOR = /\b(loadweir_\w+)(?:\{([^}]*)\})?/g;

/** What an expression asks of the table that is not there. */
function unknownIn(expr: string): readonly string[] {
  return [...expr.matchAll(SELECTOR)].flatMap(([, name = "", matchers = ""]) => {
    const metric = METRIC_NAMES.find((known) => known === name);
    if (metric === undefined) return [name];
    const labels = [...matchers.matchAll(/(\w+)(?==|!)/g)].map(([label]) => label);
    return labels.filter((label) => !labelsOf(metric).includes(label)).map((label) => `${name}{${label}}`);
  });
}

/** Labels that a series of Prometheus has. */
function labelsOf(name: MetricName): readonly string[] {
  return [...METRICS[name].labels, "instance", "job"];
}

Deno.test("alerts.yml and its tests ask only for metrics and labels that there are", () => {
  const alerts = read("alerts.yml");
  assert(alerts.match(SELECTOR));
  assertEquals(unknownIn(alerts), []);
  assertEquals(unknownIn(read("alerts_test.yml")), []);
});

Deno.test("alerts_test.yml has each alert fire", () => {
  const alerts = [...read("alerts.yml").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const fired = new Set(
    [...read("alerts_test.yml").matchAll(/alertname: (\w+)\n\s+exp_alerts:/g)].map(([, name]) => name),
  );
  assert(alerts.length > 5);
  assertEquals(alerts.filter((name) => !fired.has(name)), []);
});

testNeeding([PROMTOOL], "promtool takes the rules, and each fires when it should", async () => {
  await promtool("check", "rules", "alerts.yml");
  await promtool("test", "rules", "alerts_test.yml");
});

Deno.test("dashboard.json asks only for metrics and labels that there are, and names lines by labels they have", () => {
  assert(TARGETS.length > 20);
  for (const { title, expr, legendFormat } of TARGETS) {
    assertEquals(unknownIn(expr), [], `${title}: ${expr}`);
    const names = [...expr.matchAll(SELECTOR)].map(([, name]) => name as MetricName);
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? "");
    for (const label of labels) {
      assert(names.every((name) => labelsOf(name).includes(label)), `${title}: ${expr} has no ${label}`);
    }
  }
});

Deno.test("dashboard.json has panels of their own, and shows hosts that are chosen", () => {
  assertEquals(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, expr } of TARGETS) {
    const selectors = [...expr.matchAll(SELECTOR)];
    assert(
      selectors.every(([, , matchers]) => matchers?.startsWith('instance=~"$instance"')),
      `${title}: ${expr}`,
    );
  }
});

Deno.test("dashboard.json shows in a panel of one figure what is now, and for how long nothing has been told", () => {
  const stats = panels.filter(({ type }) => type === "stat");
  assert(stats.length > 3);
  for (const { title, targets = [] } of stats) {
    for (const { instant, range } of targets) {
      assertEquals({ instant, range }, { instant: true, range: false }, title);
    }
  }
  const [last] = TARGETS.filter(({ title }) => title === "Last pass");
  assertEquals(
    last?.expr,
    `time() - max_over_time(loadweir_last_pass_timestamp_seconds{instance=~"$instance"}[$__range])`,
  );
});

testNeeding([PROMTOOL], "promtool parses every query of dashboard.json", async () => {
  const rules = TARGETS.map(({ expr }, index) => {
    const plain = expr.replaceAll("$__rate_interval", "5m").replaceAll("$__range", "6h");
    return `      - record: panel:${index}\n        expr: ${JSON.stringify(plain)}\n`;
  });
  const path = await Deno.makeTempFile({ suffix: ".yml" });
  try {
    await Deno.writeTextFile(path, `groups:\n  - name: panels\n    rules:\n${rules.join("")}`);
    await promtool("check", "rules", path);
  } finally {
    await Deno.remove(path);
  }
});
