import { assertEquals } from "@std/assert";
import { resolveConfig } from "../config/resolve.ts";
import { isPressureWatched, pressureRulesOf, thresholdsOfFields } from "./config_rules.ts";
import { DEFAULT_THRESHOLDS, rulesOfInstance } from "./rules.ts";

const { config } = resolveConfig({});

Deno.test("pressureRulesOf() gives the thresholds of the seed where nothing is set, but for applications besides", () => {
  const { thresholds } = pressureRulesOf({ config, instances: [], apps: [] });
  assertEquals(thresholds, { ...DEFAULT_THRESHOLDS, actWhenAppSaturated: config.actWhenAppSaturated });
});

Deno.test("pressureRulesOf() takes 0 for what is not set", () => {
  const rules = pressureRulesOf({ config, instances: [], apps: [] });
  const { latencyTargetMs, minFreeMiB, rssBudgetMiB, cpuBudget } = rules;
  assertEquals([latencyTargetMs, minFreeMiB, rssBudgetMiB, cpuBudget], Array(4).fill(undefined));
  const set = pressureRulesOf({ config: { ...config, latencyTargetMs: 500 }, instances: [], apps: [] });
  assertEquals(set.latencyTargetMs, 500);
});

Deno.test("pressureRulesOf() scales in only what can be drained, and goes by answers where there is no template", () => {
  const rulesFor = (tierTemplate: string, tierDrain: typeof config.tierDrain): readonly boolean[] => {
    const { runsByAnswer, drains } = pressureRulesOf({
      config: { ...config, tierTemplate, tierDrain },
      instances: [],
      apps: [],
    });
    return [runsByAnswer, drains];
  };
  assertEquals(rulesFor("web@.service", "unit"), [false, true]);
  assertEquals(rulesFor("", "none"), [true, false]);
});

Deno.test("rulesOfInstance() gives those of the template for whatever has no section of its own", () => {
  const rules = pressureRulesOf({
    config: { ...config, tierCpus: 2, tierLoopsCount: 3 },
    instances: [],
    apps: [],
  });
  assertEquals(rulesOfInstance(rules, "web@7.service"), {
    name: "web@7.service",
    cpus: 2,
    loops: 3,
    connectionLimit: undefined,
  });
});

Deno.test("thresholdsOfFields() gives what was set, also where it is the default, and nothing else", () => {
  const fields = new Set(["scaleOutAboveRatio", "scaleInWindowMs", "warmupMs"]);
  assertEquals(thresholdsOfFields({ ...config, scaleInWindowMs: 90_000 }, fields), {
    scaleOutAbove: 0.75,
    scaleInWindowS: 90,
  });
});

Deno.test("isPressureWatched() is false where nothing is named", () => {
  assertEquals(isPressureWatched({ config, instances: [], apps: [] }), false);
  assertEquals(
    isPressureWatched({ config: { ...config, tierTemplate: "web@.service" }, instances: [], apps: [] }),
    true,
  );
});
