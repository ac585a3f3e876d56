/**
 * What no single value can show: thresholds out of order, and settings that are possible and hardly meant.
 */

import type { Choice, Choices } from "./choice.ts";
import type { Problem } from "./problem.ts";
import { CONFIG_KEYS } from "./schema.ts";

/** The thresholds that must rise from one to the next. */
type OrderedField = "spiderRatio" | "maxRatio" | "critRatio";

/** Pairs of neighbours; the drastic one first, because a CRIT that is too low ends programs. */
const NEIGHBOURS: readonly (readonly [OrderedField, OrderedField])[] = [
  ["maxRatio", "critRatio"],
  ["spiderRatio", "maxRatio"],
];

/** Up to here a threshold is near 1.0, as many tasks as CPUs: a busy host is there all day (BOA's advice). */
const ORDINARY_RATIO = 1.2;

/**
 * The kernel computes load averages anew every 5 seconds and a tick (LOAD_FREQ,
 * include/linux/sched/loadavg.h).
 */
const LOAD_FREQ_MS = 5100;

/**
 * The problem of thresholds that do not rise from SPIDER over MAX to CRIT, or undefined when they do.
 *
 * It is about the higher tier of the two in question, or about the lower one where only that was set by
 * somebody.
 */
export function orderProblem(choices: Choices): Problem | undefined {
  for (const [low, high] of NEIGHBOURS) {
    if (choices[low].value < choices[high].value) continue;
    const isAboutHigh = choices[high].setting !== undefined;
    const [field, other] = isAboutHigh ? [high, low] : [low, high];
    const { setting, value } = choices[field];
    if (setting === undefined) continue;
    const relation = value === choices[other].value ? "equals" : isAboutHigh ? "is below" : "is above";
    const seen = `${setting.key} = ${value} ${relation} ${nameOther(other, choices[other])}`;
    return {
      source: setting.source,
      line: setting.line,
      key: setting.key,
      value: setting.text,
      message: `${seen}, expected spider < max < crit`,
      using: (["spiderRatio", "maxRatio", "critRatio"] as const).map(nameDefault).join(", "),
      level: setting.level,
    };
  }
  return undefined;
}

/** The same choices with all three thresholds at their defaults. */
export function withDefaultThresholds(choices: Choices): Choices {
  const defaultOf = (field: OrderedField): Choice<number> => ({
    value: CONFIG_KEYS[field].fallback,
    setting: undefined,
  });
  return {
    ...choices,
    spiderRatio: defaultOf("spiderRatio"),
    maxRatio: defaultOf("maxRatio"),
    critRatio: defaultOf("critRatio"),
  };
}

function nameDefault(field: OrderedField): string {
  return `${CONFIG_KEYS[field].key} ${CONFIG_KEYS[field].fallback}`;
}

/**
 * The other threshold of a comparison: without its section, which is the same, and with a word on where it is
 * from.
 */
function nameOther(field: OrderedField, { value, setting }: Choice<number>): string {
  if (setting === undefined) return `${CONFIG_KEYS[field].key} = ${value} (default)`;
  return `${setting.key.replace(/^\[.*\] /, "")} = ${value}`;
}

/** Advice on settings that count and are probably not meant. */
export function planAdvice(choices: Choices): readonly Problem[] {
  const { spiderRatio, maxRatio, critRatio, taskRatio, resumeFraction, recheckMs } = choices;
  const resumeRatio = maxRatio.value * resumeFraction.value;
  return [
    ...adviseIf(isOrdinary(spiderRatio), spiderRatio, ordinary("crawlers would be turned away")),
    ...adviseIf(isOrdinary(maxRatio), maxRatio, ordinary("the web would be paused")),
    ...adviseIf(isOrdinary(critRatio), critRatio, ordinary("programs would be ended")),
    ...adviseIf(isOrdinary(taskRatio), taskRatio, ordinary("backend tasks would wait")),
    ...adviseIf(
      !isOrdinary(maxRatio) && resumeRatio < 1,
      resumeFraction,
      `gives the web back only below ${resumeRatio.toFixed(2)} load per CPU, rare on a busy host`,
    ),
    ...adviseIf(
      recheckMs.value < LOAD_FREQ_MS,
      recheckMs,
      "may see the same figure again, because the kernel computes the load every 5 s",
    ),
  ];
}

function isOrdinary({ value }: Choice<number>): boolean {
  return value <= ORDINARY_RATIO;
}

function ordinary(consequence: string): string {
  return `is near or below 1.0 load per CPU, so that ${consequence} under ordinary traffic`;
}

/** Advice on a setting that somebody set, when it is unlikely to be meant; the reason follows its key and value. */
export function adviseIf(
  isUnlikely: boolean,
  { setting }: Choice<unknown>,
  reason: string,
): readonly Problem[] {
  if (!isUnlikely || setting === undefined) return [];
  const { source, line, key, text: value } = setting;
  return [{
    source,
    line,
    key,
    value,
    message: `${key} = ${value} ${reason}`,
    using: value,
    level: "advice",
  }];
}
