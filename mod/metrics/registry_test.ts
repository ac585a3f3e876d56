import { assert, assertEquals } from "@std/assert";
import { METRIC_NAMES, METRICS } from "./registry.ts";

Deno.test("METRICS has names as Prometheus wants them, and counters alone end with _total", () => {
  for (const name of METRIC_NAMES) {
    assert(/^loadweir(_[a-z0-9]+)+$/.test(name), name);
    assertEquals(name.endsWith("_total"), METRICS[name].type === "counter", name);
    assert(!/_(ms|milliseconds|percent|mib|kib|bucket|count|sum)$/.test(name), name);
  }
});

Deno.test("METRICS has one line of help each, and labels that Prometheus does not give itself", () => {
  for (const name of METRIC_NAMES) {
    const { help, labels } = METRICS[name];
    assert(/^[A-Z][ -~]+[^.\s]$/.test(help) && !help.includes("\\"), `${name}: ${help}`);
    assertEquals(new Set<string>(labels).size, labels.length);
    for (const label of labels) assert(/^(?!instance$|job$)[a-z_]+$/.test(label), `${name}: ${label}`);
  }
});
