import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { parseExposition, type Series } from "../prom/exposition.ts";
import { renderMetrics } from "./exposition.ts";
import { seriesOf } from "./series.ts";

Deno.test("renderMetrics() prints HELP and TYPE once each, metrics as the table has them, series as given", () => {
  const page = renderMetrics([
    ...seriesOf("loadweir_tier", 0, { tier: "spider" }),
    ...seriesOf("loadweir_cpus", 4),
    ...seriesOf("loadweir_tier", 1, { tier: "normal" }),
  ]);
  assertEquals(page.split("\n"), [
    "# HELP loadweir_cpus CPUs that the load is divided by",
    "# TYPE loadweir_cpus gauge",
    "loadweir_cpus 4",
    "# HELP loadweir_tier Tier of the last evaluation: 1 for one of them",
    "# TYPE loadweir_tier gauge",
    'loadweir_tier{tier="spider"} 0',
    'loadweir_tier{tier="normal"} 1',
    "",
  ]);
});

Deno.test("renderMetrics() prints labels in the order of the table, whatever order they come in", () => {
  const page = renderMetrics(seriesOf("loadweir_probe_check", 1, { state: "ok", check: "swap" }));
  assert(page.endsWith('\nloadweir_probe_check{check="swap",state="ok"} 1\n'), page);
});

Deno.test("renderMetrics() prints figures that are no numbers as Prometheus writes them", () => {
  const values = [NaN, Infinity, -Infinity, 1e21, 0.1 + 0.2].map((value) =>
    renderMetrics(seriesOf("loadweir_cpus", value)).trimEnd().split(" ").at(-1)
  );
  assertEquals(values, ["NaN", "+Inf", "-Inf", "1e+21", "0.30000000000000004"]);
});

Deno.test("renderMetrics() leaves out what is not known", () => {
  assertEquals(renderMetrics(seriesOf("loadweir_cpus", undefined)), "");
});

Deno.test("renderMetrics() prints a series that is there twice once", () => {
  const series = [1, 2].flatMap((value) => seriesOf("loadweir_probe_check_unseen", value, { check: "swap" }));
  assertEquals(renderMetrics(series).match(/^loadweir.*$/gm), [
    'loadweir_probe_check_unseen{check="swap"} 1',
  ]);
});

/** The series of the one metric of a page. */
function seriesIn(page: string): readonly Series[] {
  return [...parseExposition(page, "text", "page").series.values()].flat();
}

const HOSTILE: Readonly<Record<string, string>> = {
  'a"b': 'a"b',
  "back\\slash": "back\\slash",
  "line\nend": "line\\u000aend",
  "żółw": "\\u017c\\u00f3\\u0142w",
  "🐢": "\\ud83d\\udc22",
};

Deno.test("renderMetrics() prints names that people gave so that they are read back, in ASCII", () => {
  for (const [name, read] of Object.entries(HOSTILE)) {
    const page = renderMetrics(seriesOf("loadweir_probe_check_unseen", 1, { check: name }));
    assert(/^[\n -~]*$/.test(page), page);
    assertEquals(seriesIn(page)[0]?.labels.get("check"), read);
  }
});

Deno.test("renderMetrics() gives a page that is read, whatever a label holds", () => {
  fc.assert(fc.property(fc.string({ minLength: 1, unit: "binary" }), fc.double(), (name, value) => {
    const page = renderMetrics(seriesOf("loadweir_probe_check_unseen", value, { check: name }));
    // Zero has no sign here.
    assertEquals(seriesIn(page).map((one) => one.value), [value === 0 ? 0 : value]);
  }));
});
