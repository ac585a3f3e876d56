/** Which source's value applies for each setting. */

import type { Config, ConfigField } from "./config.ts";
import type { Layer, Setting } from "./layers.ts";
import { CONFIG_FIELDS, CONFIG_KEYS } from "./schema.ts";
import type { ValueType } from "./values.ts";

/** A value and the setting it was read from, undefined for the default. */
export interface Choice<T> {
  readonly value: T;
  readonly setting: Setting | undefined;
}

/** The choice for every setting. */
export type Choices = { readonly [F in ConfigField]: Choice<Config[F]> };

/** A setting whose text is not a value of its type. */
export interface Rejection {
  readonly field: ConfigField;
  readonly setting: Setting;
}

/**
 * Takes each value from the topmost layer that has a good one, else its default. Never throws.
 *
 * @param layers From the lowest to the topmost
 */
export function chooseValues(
  layers: readonly Layer[],
): { choices: Choices; rejections: readonly Rejection[] } {
  const rejections: Rejection[] = [];
  const choices = CONFIG_FIELDS.map((field) => [field, chooseValue(field, layers, rejections)]);
  return { choices: Object.fromEntries(choices) as unknown as Choices, rejections };
}

function chooseValue<F extends ConfigField>(
  field: F,
  layers: readonly Layer[],
  rejections: Rejection[],
): Choice<Config[F]> {
  const { type, fallback } = CONFIG_KEYS[field];
  for (const layer of layers.toReversed()) {
    const setting = layer.settings.get(field);
    if (setting === undefined) continue;
    const read = setting.flaw === undefined ? maybeReadPlain(type, setting.text) : undefined;
    if (read !== undefined) return { value: read.value, setting };
    rejections.push({ field, setting });
  }
  return { value: fallback, setting: undefined };
}

/** Reads a value from text without control and replacement characters, which no value has. */
function maybeReadPlain<T>(type: ValueType<T>, text: string): { readonly value: T } | undefined {
  // deno-lint-ignore no-control-regex
  return /[\x00-\x1f\x7f\ufffd]/.test(text) ? undefined : type.maybeRead(text);
}

/** The value of a choice as it would be written in `loadweir.ini`. */
export function renderChoice<F extends ConfigField>(field: F, choices: Choices): string {
  return CONFIG_KEYS[field].type.render(choices[field].value);
}
