/**
 * What no single value of pressure can show: settings that contradict each other, and settings that are possible and
 * hardly meant.
 */

import type { Choice, Choices } from "./choice.ts";
import type { ConfigKey } from "./config_key.ts";
import { iniKey } from "./ini.ts";
import { INSTANCES } from "./instance.ts";
import { METRICS_ADDRESS, tierAddressOf } from "./metrics_address.ts";
import { maybeOriginOf, type NamedSections } from "./named_section.ts";
import { adviseIf } from "./plausibility.ts";
import { EVALUATION_MS, type InstanceConfig, LOOK_MS, type PressureConfig } from "./pressure_config.ts";
import type { Problem } from "./problem.ts";
import { PRESSURE_KEYS } from "./pressure_keys.ts";
import { configOf } from "./schema.ts";
import { renderDuration } from "./values.ts";

type PressureField = keyof PressureConfig;

/** Something that settings must keep to together. */
interface Rule {
  /** The settings that it is about; it is told of an override, else of the first one that somebody set. */
  readonly about: readonly PressureField[];
  /** Settings that all get their defaults where it is broken, because which of them is wrong cannot be known. */
  readonly replaced: readonly PressureField[];
  /** What would be right, to follow the word "expected"; undefined when it is. */
  readonly maybeExpected: (config: PressureConfig) => string | undefined;
}

/** Settings that are about time, each of which limits the others. */
const TIMES: readonly PressureField[] = [
  "pressureSamplesCount",
  "cooldownOutMs",
  "warmupMs",
  "pressureWindowMs",
];

/** A rule comes after those whose settings it only reads. */
const RULES: readonly Rule[] = [
  {
    about: ["tierMinCount", "tierMaxCount"],
    replaced: ["tierMinCount", "tierMaxCount"],
    maybeExpected: ({ tierMinCount, tierMaxCount }) =>
      tierMinCount > tierMaxCount ? "min up to max" : undefined,
  },
  {
    // Right after a scale-out the same work is shared by one more: that must not look like too many.
    about: ["scaleInBelowRatio", "scaleOutAboveRatio", "tierMinCount"],
    replaced: ["scaleInBelowRatio", "scaleOutAboveRatio"],
    maybeExpected: ({ scaleInBelowRatio, scaleOutAboveRatio, tierMinCount }) => {
      const shared = scaleOutAboveRatio * tierMinCount / (tierMinCount + 1);
      if (scaleInBelowRatio < shared) return undefined;
      return `scale_in_below less than scale_out_above x min / (min + 1) = ${shared.toFixed(3)}, ` +
        "or each scale-out would be undone";
    },
  },
  {
    about: ["cooldownOutMs", "pressureWindowMs", "warmupMs"],
    replaced: TIMES,
    maybeExpected: ({ cooldownOutMs, warmupMs, pressureWindowMs }) => {
      const leastMs = warmupMs + pressureWindowMs + EVALUATION_MS;
      if (cooldownOutMs >= leastMs) return undefined;
      return `cooldown_out of at least ${renderDuration(leastMs)}, which is warmup, window and ${
        renderDuration(EVALUATION_MS)
      }, or what the last one did is not seen before the next one`;
    },
  },
  {
    about: ["pressureSamplesCount", "pressureWindowMs"],
    replaced: TIMES,
    maybeExpected: ({ pressureSamplesCount, pressureWindowMs }) => {
      const most = Math.floor(pressureWindowMs / LOOK_MS);
      return pressureSamplesCount <= most
        ? undefined
        : `at most ${most} looks, one for each second of window`;
    },
  },
  {
    about: ["tierMetrics", "tierBasePort", "tierMaxCount"],
    replaced: ["tierMetrics", "tierBasePort"],
    maybeExpected: (config) => {
      if (config.tierMetrics === "") return undefined;
      if (config.tierMetrics.includes("%p") && config.tierBasePort === 0) {
        return "base_port where metrics has %p";
      }
      return tierIndices(config).every((index) => tierAddressOf(config, index) !== undefined)
        ? undefined
        : "ports up to 65535 and a whole address for each index from 1 to max";
    },
  },
];

/**
 * The same choices with defaults where settings contradict each other, and a problem for each contradiction. Never throws.
 */
export function withPlausiblePressure(
  chosen: Choices,
): { readonly choices: Choices; readonly problems: readonly Problem[] } {
  let choices = chosen;
  const problems: Problem[] = [];
  for (const { about, replaced, maybeExpected } of RULES) {
    // With its own settings as they were chosen, so that one contradiction hides no other.
    const view: Choices = {
      ...choices,
      ...Object.fromEntries(replaced.map((field) => [field, chosen[field]])),
    };
    const expected = maybeExpected(configOf((field) => view[field].value));
    if (expected === undefined) continue;
    // Whoever typed an override is there to mend it.
    const field = about.find((one) => view[one].setting?.level === "error") ??
      about.find((one) => view[one].setting !== undefined);
    const setting = field && view[field].setting;
    if (field === undefined || setting === undefined) continue;
    const others = about.filter((other) => other !== field).map((other) => nameOther(other, view));
    problems.push({
      source: setting.source,
      line: setting.line,
      key: setting.key,
      value: setting.text,
      message: `${setting.key} = ${setting.text} with ${others.join(", ")}: expected ${expected}`,
      using: replaced.map(nameDefault).join(", "),
      level: setting.level,
    });
    choices = { ...choices, ...Object.fromEntries(replaced.map((one) => [one, defaultOf(one)])) };
  }
  return { choices, problems };
}

/** Advice on settings that count and are probably not meant. Never throws. */
export function pressureAdvice(choices: Choices): readonly Problem[] {
  const { pressureMode, tierTemplate, tierMetrics, tierDrain } = choices;
  const isActive = pressureMode.value === "active";
  return [
    ...adviseIf(
      isActive && tierTemplate.value === "" && tierDrain.value !== "hook",
      pressureMode,
      "with no [tier] template scales by the hooks scale-out and scale-in alone, and not at all without them",
    ),
    ...adviseIf(
      isActive && tierDrain.value === "none" && tierDrain.setting === undefined,
      pressureMode,
      "never scales in without [tier] drain = unit or hook; drain = none says that this is meant",
    ),
    ...adviseIf(
      tierTemplate.value !== "" && tierMetrics.value === "",
      tierTemplate,
      "with no metrics: its instances tell no figures, so that nothing is ever scaled",
    ),
  ];
}

/** Advice on instances that are one and the same. Never throws. */
export function sameInstanceAdvice(
  { values, origins }: Pick<NamedSections<InstanceConfig>, "values" | "origins">,
  config: PressureConfig,
): readonly Problem[] {
  const owners = new Map<string, string>();
  for (const index of config.tierMetrics === "" ? [] : tierIndices(config)) {
    const address = tierAddressOf(config, index);
    if (address !== undefined) {
      owners.set(METRICS_ADDRESS.render(address), `[tier] metrics with index ${index}`);
    }
  }
  return values.flatMap(({ name, metrics }): readonly Problem[] => {
    const origin = maybeOriginOf(origins, INSTANCES, name, "metrics");
    if (metrics === undefined || origin === undefined) return [];
    const { source, line, section, value } = origin;
    const owner = owners.get(value);
    owners.set(value, owner ?? `[${section}]`);
    if (owner === undefined) return [];
    const key = iniKey(section, "metrics");
    const message = `${key} = ${value} is that of ${owner} too, so that one instance counts twice`;
    return [{ source, line, key, value, message, using: value, level: "advice" }];
  });
}

/** All indices that the tier may have. */
function tierIndices({ tierMaxCount }: PressureConfig): readonly number[] {
  return Array.from({ length: tierMaxCount }, (_, index) => index + 1);
}

/** Another setting, with its section and a word on where it is from. */
function nameOther<F extends PressureField>(field: F, choices: Choices): string {
  const { section, key, type } = PRESSURE_KEYS[field] as unknown as ConfigKey<unknown>;
  const { value, setting } = choices[field];
  const name = `${iniKey(section, key)} = ${type.render(value)}`.trimEnd();
  return setting === undefined ? `${name} (default)` : name;
}

function nameDefault(field: PressureField): string {
  const { key, type, fallback } = PRESSURE_KEYS[field] as unknown as ConfigKey<unknown>;
  return `${key} ${type.render(fallback) || "empty"}`;
}

function defaultOf(field: PressureField): Choice<PressureConfig[PressureField]> {
  return { value: PRESSURE_KEYS[field].fallback, setting: undefined };
}
