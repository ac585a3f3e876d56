/**
 * Damaged settings files: protection goes on, and never at lower thresholds than somebody wrote or the
 * defaults.
 */

import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { mutationsOf } from "../testing/mutations.ts";
import type { ConfigField } from "./config.ts";
import { tierAddressOf } from "./metrics_address.ts";
import { EVALUATION_MS, LOOK_MS } from "./pressure_config.ts";
import { renderProblems } from "./report.ts";
import { resolveConfig, type ResolvedConfig } from "./resolve.ts";
import type { ConfigKey } from "./config_key.ts";
import { CONFIG_FIELDS, CONFIG_KEYS } from "./schema.ts";
import { thresholdsOf } from "./thresholds.ts";

const RUNS = { numRuns: 10_000 };
const THRESHOLD_FIELDS: readonly ConfigField[] = [
  "spiderRatio",
  "maxRatio",
  "critRatio",
  "taskRatio",
  "resumeFraction",
];

/** Asserts what holds for every configuration, whatever it was read from. */
function assertSound({ config, problems, unusable, instances, apps }: ResolvedConfig): void {
  const { spiderPercent, maxPercent, critPercent, taskPercent, resumePercent } = thresholdsOf(config);
  assert(0 < spiderPercent && spiderPercent < maxPercent && maxPercent < critPercent && critPercent <= 1e8);
  assert(0 < taskPercent && taskPercent <= 1e8);
  assert(0 < resumePercent && resumePercent < maxPercent);
  for (const field of CONFIG_FIELDS) {
    const { type } = CONFIG_KEYS[field] as ConfigKey<unknown>;
    assertEquals(type.maybeRead(type.render(config[field])), { value: config[field] }, field);
  }
  const { scaleInBelowRatio, scaleOutAboveRatio, tierMinCount, tierMaxCount } = config;
  assert(
    scaleInBelowRatio < scaleOutAboveRatio * tierMinCount / (tierMinCount + 1) && scaleOutAboveRatio < 1,
  );
  assert(1 <= tierMinCount && tierMinCount <= tierMaxCount);
  assert(config.cooldownOutMs >= config.warmupMs + config.pressureWindowMs + EVALUATION_MS);
  assert(config.pressureSamplesCount <= config.pressureWindowMs / LOOK_MS);
  for (let index = 1; index <= tierMaxCount && config.tierMetrics !== ""; index++) {
    assert(tierAddressOf(config, index) !== undefined);
  }
  assert(
    instances.every(({ metrics, unit, pidFile }) => metrics !== undefined || unit !== "" || pidFile !== ""),
  );
  assert(apps.every(({ unit, process }) => (unit === "") !== (process === "")));
  for (const named of [instances, apps]) {
    assertEquals(new Set(named.map(({ name }) => name)).size, named.length);
  }
  if (unusable) assert(problems.some(({ level }) => level === "error"));
  renderProblems(problems);
}

/**
 * Asserts that each threshold is its default or a plain decimal on the very line that it is said to come
 * from.
 */
function assertWritten(text: string, { config, origins }: ResolvedConfig): void {
  const lines = text.split("\n");
  for (const { field, source, line } of origins.filter(({ field }) => THRESHOLD_FIELDS.includes(field))) {
    const { fallback } = CONFIG_KEYS[field];
    if (source === "default") {
      assertEquals(config[field], fallback);
      continue;
    }
    const written = lines[(line ?? 0) - 1] ?? "";
    const afterEquals = written.match(/=(.*)/)?.[1] ?? "";
    const decimals = (afterEquals.match(/\d*\.?\d+/g) ?? []).map((decimal) =>
      Math.round(Number(decimal) * 1e4) / 1e4
    );
    assert(decimals.includes(Number(config[field])), `${field} = ${config[field]} is not in ${afterEquals}`);
    // A line of the shell may hold two assignments: then the first sign is not the second one's.
    const assignsOnce = written.indexOf("=") === written.lastIndexOf("=");
    assert(
      !assignsOnce || !/^[\s"']*[-+]/.test(afterEquals),
      `${field} = ${config[field]} lost its sign in ${afterEquals}`,
    );
  }
}

Deno.test("resolveConfig() is sound for 10 000 damaged copies of loadweir.ini", () => {
  const good = Deno.readTextFileSync("fixtures/config/good.ini");
  fc.assert(
    fc.property(mutationsOf(good), (text) => {
      const resolved = resolveConfig({ ini: { source: "x.ini", text } });
      assertSound(resolved);
      assertWritten(text, resolved);
    }),
    RUNS,
  );
});

Deno.test("resolveConfig() is sound for any settings of pressure, also where they contradict each other", () => {
  const count = fc.oneof(fc.integer({ min: 0, max: 70 }).map(String), fc.string());
  const ratio = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value.toFixed(3)),
    fc.string(),
  );
  const time = fc.oneof(fc.integer({ min: 0, max: 120 }).map((seconds) => `${seconds}s`), fc.string());
  const metrics = fc.constantFrom("http://127.0.0.1:%p/", "http://[::1]:655%i/", "unix:/run/x:/", "");
  const port = fc.oneof(fc.integer({ min: 0, max: 65_536 }).map(String), fc.constant("65500"));
  fc.assert(
    fc.property(
      fc.record({ min: count, max: count, metrics, base_port: port }, { requiredKeys: [] }),
      fc.record(
        {
          scale_out_above: ratio,
          scale_in_below: ratio,
          window: time,
          samples: count,
          warmup: time,
          cooldown_out: time,
        },
        { requiredKeys: [] },
      ),
      (tier, pressure) => {
        const linesOf = (settings: object): string =>
          Object.entries(settings).map(([key, value]) => `${key} = ${value}\n`).join("");
        const text = `[tier]\n${linesOf(tier)}[pressure]\n${linesOf(pressure)}`;
        assertSound(resolveConfig({ ini: { source: "x.ini", text } }));
      },
    ),
    RUNS,
  );
});

Deno.test("resolveConfig() is sound for 10 000 damaged copies of BOA's settings", () => {
  const good = Deno.readTextFileSync("fixtures/config/barracuda.cnf").split("\n")
    .filter((line) => !line.startsWith("#")).join("\n");
  fc.assert(
    fc.property(mutationsOf(good), (text) => {
      const resolved = resolveConfig({ barracuda: { source: "x.cnf", text } });
      assertSound(resolved);
    }),
    RUNS,
  );
});

Deno.test("resolveConfig() takes a threshold only from a line of BOA's settings that says it", () => {
  const good =
    "_CPU_SPIDER_RATIO=3\n_CPU_MAX_RATIO=6.5\n_CPU_CRIT_RATIO=9\n_CPU_TASK_RATIO=4\n_RESUME_FRACTION=.75\n";
  fc.assert(
    fc.property(mutationsOf(good).filter((text) => !/["'\\]/.test(text)), (text) => {
      const resolved = resolveConfig({ barracuda: { source: "x.cnf", text } });
      assertSound(resolved);
      assertWritten(text, resolved);
    }),
    RUNS,
  );
});

Deno.test("resolveConfig() is sound for any texts and overrides", () => {
  const line = fc.tuple(fc.constantFrom("max", "crit", "spider", "resume_fraction", "recheck"), fc.string());
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.array(line),
      (ini, cnf, pairs) => {
        assertSound(resolveConfig({
          ini: {
            source: "x.ini",
            text: `[ladder]\n${pairs.map(([key, value]) => `${key} = ${value}`).join("\n")}\n${ini}`,
          },
          barracuda: { source: "x.cnf", text: `_CPU_MAX_RATIO=${cnf}` },
          overrides: pairs.map(([key, value]) => `ladder.${key}=${value}`),
        }));
      },
    ),
  );
});
