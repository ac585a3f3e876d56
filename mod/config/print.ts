/**
 * A configuration written down: as a `loadweir.ini`, every setting with its help and where its value came from, or in
 * short as what is not the default.
 */

import type { ConfigField } from "./config.ts";
import type { Origin } from "./resolve.ts";
import { CONFIG_KEYS } from "./schema.ts";

/**
 * Writes a settings file that reads back to the same configuration.
 *
 * @param origins One for each setting, as `resolveConfig` gives them
 */
export function renderIni(origins: readonly Origin[]): string {
  const sections = [...new Set(origins.map((origin) => origin.section))];
  return sections.map((section) => {
    const settings = origins.filter((origin) => origin.section === section).map(renderSetting);
    return `[${section}]\n${settings.join("\n")}`;
  }).join("\n");
}

/**
 * The settings that are not the default as `section.key=value` texts. On top of nothing else they read back to the same
 * configuration.
 *
 * @param origins One for each setting, as `resolveConfig` gives them
 */
export function renderChanged(origins: readonly Origin[]): readonly string[] {
  return origins.filter(({ source }) => source !== "default")
    .map(({ section, key, value }) => `${section}.${key}=${value}`);
}

function renderSetting({ field, key, value, source, line }: Origin): string {
  const place = source === "default" ? "" : `; from ${line === undefined ? source : `${source}:${line}`}\n`;
  const setting = `${key} = ${value}`.trimEnd();
  return `; ${describe(field)}\n${place}${setting}\n`;
}

function describe(field: ConfigField): string {
  const { help, unit, type } = CONFIG_KEYS[field];
  return `${help}: ${type.expected}${unit === "" ? "" : ` (${unit})`}`;
}
