import { assertEquals, assertNotEquals } from "@std/assert";
import type { Config } from "./config.ts";
import { resolveConfig } from "./resolve.ts";
import { defaultConfig } from "./schema.ts";

/** What is told of a file: its line, what was seen, and what becomes of it. */
function told(text: string): readonly unknown[] {
  const { problems } = resolveConfig({ ini: { source: "x.ini", text } });
  return problems.map((
    { line, message, using, level },
  ) => [line, message, level === "advice" ? "kept" : using]);
}

function config(text: string): Config {
  return resolveConfig({ ini: { source: "x.ini", text } }).config;
}

const TIMES = "samples 12, cooldown_out 1m, warmup 10s, window 15s";
const SCORES = "scale_in_below 0.3, scale_out_above 0.75";

const CONTRADICTIONS: readonly (readonly [string, string, readonly unknown[]])[] = [
  ["min above max", "[tier]\nmin = 5\nmax = 2\n", [
    [2, "[tier] min = 5 with [tier] max = 2: expected min up to max", "min 1, max 4"],
  ]],
  ["max below the min of the defaults", "[tier]\nmin = 5\n", [
    [2, "[tier] min = 5 with [tier] max = 4 (default): expected min up to max", "min 1, max 4"],
  ]],
  ["a scale-out that would be undone", "[pressure]\nscale_in_below = 0.375\n", [[
    2,
    "[pressure] scale_in_below = 0.375 with [pressure] scale_out_above = 0.75 (default), [tier] min = 1 (default): " +
    "expected scale_in_below less than scale_out_above x min / (min + 1) = 0.375, or each scale-out would be undone",
    SCORES,
  ]]],
  ["a threshold that is too low for the other one", "[pressure]\nscale_out_above = 0.5\n", [[
    2,
    "[pressure] scale_out_above = 0.5 with [pressure] scale_in_below = 0.3 (default), [tier] min = 1 (default): " +
    "expected scale_in_below less than scale_out_above x min / (min + 1) = 0.250, or each scale-out would be undone",
    SCORES,
  ]]],
  ["a cooldown that ends before its effect is seen", "[pressure]\ncooldown_out = 29999ms\n", [[
    2,
    "[pressure] cooldown_out = 29999ms with [pressure] window = 15s (default), [pressure] warmup = 10s (default): " +
    "expected cooldown_out of at least 30s, which is warmup, window and 5s, or what the last one did is not seen " +
    "before the next one",
    TIMES,
  ]]],
  ["more looks than seconds", "[pressure]\nwindow = 3s\n", [[
    2,
    "[pressure] window = 3s with [pressure] samples = 12 (default): " +
    "expected at most 3 looks, one for each second of window",
    TIMES,
  ]]],
  ["a port without its base", "[tier]\nmetrics = http://127.0.0.1:%p/metrics\n", [[
    2,
    "[tier] metrics = http://127.0.0.1:%p/metrics with [tier] base_port = 0 (default), [tier] max = 4 (default): " +
    "expected base_port where metrics has %p",
    "metrics empty, base_port 0",
  ]]],
  ["a port too high for the last index", "[tier]\nmetrics = http://127.0.0.1:%p/\nbase_port = 65532\n", [[
    2,
    "[tier] metrics = http://127.0.0.1:%p/ with [tier] base_port = 65532, [tier] max = 4 (default): " +
    "expected ports up to 65535 and a whole address for each index from 1 to max",
    "metrics empty, base_port 0",
  ]]],
];

for (const [name, text, expected] of CONTRADICTIONS) {
  Deno.test(`withPlausiblePressure() replaces ${name} by all defaults of the group`, () => {
    assertEquals(told(text), expected);
    assertEquals(config(text), defaultConfig());
  });
}

const SOUND: readonly (readonly [string, string])[] = [
  ["the widest hysteresis that one instance allows", "[pressure]\nscale_in_below = 0.3749\n"],
  ["more of it with more instances", "[tier]\nmin = 2\n[pressure]\nscale_in_below = 0.4999\n"],
  ["the shortest cooldown", "[pressure]\ncooldown_out = 30s\n"],
  ["short times", "[pressure]\nwindow = 3s\nsamples = 3\nwarmup = 0\ncooldown_out = 8s\n"],
  ["as many looks as seconds", "[pressure]\nsamples = 15\n"],
  ["as many at least as at most", "[tier]\nmin = 3\nmax = 3\n"],
  ["the last port of all", "[tier]\nmetrics = http://127.0.0.1:%p/\nbase_port = 65531\n"],
];

for (const [name, text] of SOUND) {
  Deno.test(`withPlausiblePressure() takes ${name}`, () => {
    assertEquals(told(text), []);
    assertNotEquals(config(text), defaultConfig());
  });
}

Deno.test("withPlausiblePressure() tells all contradictions at once, those of one group too, and keeps the rest", () => {
  const text =
    "[pressure]\nconfirm = 3\nscale_in_below = 0.9\nwindow = 5s\ncooldown_out = 1s\nsamples = 9\n" +
    "[tier]\nmin = 9\nmax = 8\nmetrics = unix:/run/loadweir/metrics/%i%p:/\n";
  assertEquals(told(text).map((row) => (row as readonly unknown[])[0]), [3, 5, 6, 8, 10]);
  assertEquals(config(text), { ...defaultConfig(), pressureConfirmCount: 3 });
});

Deno.test("withPlausiblePressure() holds scores against the min that applies, not one that was replaced", () => {
  // With min = 60 this would pass.
  const text = "[tier]\nmin = 60\nmax = 2\n[pressure]\nscale_in_below = 0.7\n";
  assertEquals(told(text).length, 2);
  assertEquals(config(text), defaultConfig());
});

Deno.test("withPlausiblePressure() tells a contradiction of an override and a file as an error of who typed the override", () => {
  const { problems, config } = resolveConfig({
    ini: { source: "x.ini", text: "[tier]\nmin = 3\n" },
    overrides: ["tier.max=2"],
  });
  assertEquals(problems.map(({ source, line, level }) => [source, line, level]), [[
    "--set",
    undefined,
    "error",
  ]]);
  assertEquals([config.tierMinCount, config.tierMaxCount], [1, 4]);
});

const ACTIVE = "[pressure]\nmode = active\n";
const ADVICE: readonly (readonly [string, string, readonly string[]])[] = [
  ["active without a template and a drain", ACTIVE, [
    "[pressure] mode = active with no [tier] template scales by the hooks scale-out and scale-in alone, and not at all " +
    "without them",
    "[pressure] mode = active never scales in without [tier] drain = unit or hook; drain = none says that this is meant",
  ]],
  ["active by hooks", `${ACTIVE}[tier]\ndrain = hook\n`, []],
  [
    "active that is not meant to scale in",
    `${ACTIVE}[tier]\ntemplate = w@.service\nmetrics = http://[::1]:910%i/\ndrain = none\n`,
    [],
  ],
  [
    "active with all that it takes",
    `${ACTIVE}[tier]\ntemplate = w@.service\nmetrics = http://[::1]:910%i/\ndrain = unit\n`,
    [],
  ],
  ["observing without anything", "[pressure]\nmode = observe\n", []],
  ["a template whose instances tell nothing", "[tier]\ntemplate = w@.service\n", [
    "[tier] template = w@.service with no metrics: its instances tell no figures, so that nothing is ever scaled",
  ]],
  [
    "instances with one address",
    "[instance:a]\nmetrics = http://127.0.0.1/\n[instance:b]\nmetrics = http://127.0.0.1:80/\n[instance:c]\nunit = c.service\n",
    [
      "[instance:b] metrics = http://127.0.0.1:80/ is that of [instance:a] too, so that one instance counts twice",
    ],
  ],
  [
    "an instance with the address of one of the tier",
    "[tier]\nmetrics = http://127.0.0.1:%p/\nbase_port = 9100\n[instance: b]\nmetrics = http://127.0.0.1:9104/\n" +
    "[instance:c]\nmetrics = http://127.0.0.1:9105/\n",
    [
      "[instance: b] metrics = http://127.0.0.1:9104/ is that of [tier] metrics with index 4 too, so that one instance " +
      "counts twice",
    ],
  ],
];

for (const [name, text, messages] of ADVICE) {
  Deno.test(`advice is given on ${name}${messages.length === 0 ? ": none" : ""}`, () => {
    assertEquals(
      told(text).map((row) => (row as readonly unknown[]).slice(1)),
      messages.map((message) => [message, "kept"]),
    );
  });
}
