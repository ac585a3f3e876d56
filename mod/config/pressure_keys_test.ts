import { assertEquals } from "@std/assert";
import { renderIni } from "./print.ts";
import { resolveConfig } from "./resolve.ts";

Deno.test("PRESSURE_KEYS have the defaults of the decision record, observing alone", () => {
  const lines = renderIni(resolveConfig({}).origins).split("\n").filter((line) =>
    !line.startsWith(";") && line !== ""
  );
  assertEquals(lines.slice(lines.indexOf("[pressure]")), [
    "[pressure]",
    "mode = observe",
    "window = 15s",
    "samples = 12",
    "confirm = 2",
    "scale_out_above = 0.75",
    "scale_in_below = 0.3",
    "scale_in_window = 1m",
    "cooldown_out = 1m",
    "cooldown_in = 5m",
    "cooldown_in_after_out = 5m",
    "warmup = 10s",
    "start_timeout = 30s",
    "failure_backoff = 3m",
    "app_saturated = 0.9",
    "near_limit = 0.8",
    "low_cpu = 0.5",
    "lag_saturated = 5ms",
    "inflight_per_loop = 256",
    "dominance_margin = 0.1",
    "latency_target = 0",
    "min_free_ram = 0",
    "rss_budget = 0",
    "cpu_budget = 0",
    "[tier]",
    "template =",
    "min = 1",
    "max = 4",
    "metrics =",
    "base_port = 0",
    "preset = auto",
    "lag_baseline =",
    "cpus = 1",
    "loops = 1",
    "drain = none",
    "act_when_app_saturated = yes",
  ]);
});

Deno.test("PRESSURE_KEYS can be set on the command line", () => {
  const { config, problems } = resolveConfig({ overrides: ["pressure.mode=active", "tier.drain=hook"] });
  assertEquals([config.pressureMode, config.tierDrain, problems], ["active", "hook", []]);
});

const REFUSED: readonly (readonly [string, string])[] = [
  ["a mode that there is not", "pressure.mode=on"],
  ["no loops' worth of requests", "pressure.inflight_per_loop=0"],
  ["no loops", "tier.loops=0"],
  ["no CPUs", "tier.cpus=0"],
  ["no instances", "tier.min=0"],
  ["a window that is too short to tell anything", "pressure.window=2999ms"],
  ["a score that is never exceeded", "pressure.scale_out_above=1"],
  ["a lag that all have", "pressure.lag_saturated=0"],
  ["an instance for a template", "tier.template=web@1.service"],
  ["an address without an index", "tier.metrics=http://127.0.0.1:9101/metrics"],
];
for (const [name, override] of REFUSED) {
  Deno.test(`PRESSURE_KEYS refuse ${name}`, () => {
    const { config, problems } = resolveConfig({ overrides: [override] });
    assertEquals(problems.map(({ level }) => level), ["error"]);
    assertEquals(config, resolveConfig({}).config);
  });
}
