/**
 * A configuration written down: as a `loadweir.ini`, every setting with its help and where its value came from, or in
 * short as what is not the default.
 */

import type { ConfigField } from "./config.ts";
import type { SectionOrigin } from "./named_section.ts";
import type { Origin } from "./resolve.ts";
import { CONFIG_KEYS } from "./schema.ts";

/**
 * Writes a settings file that reads back to the same configuration.
 *
 * @param origins One for each setting, as `resolveConfig` gives them
 * @param sectionOrigins One for each setting of each named section, likewise
 */
export function renderIni(origins: readonly Origin[], sectionOrigins: readonly SectionOrigin[] = []): string {
  const rows = [
    ...origins.map(({ field, ...rest }) => ({ ...rest, about: describe(field) })),
    ...sectionOrigins,
  ];
  const sections = [...new Set(rows.map(({ section }) => section))];
  return sections.map((section) => {
    const settings = rows.filter((row) => row.section === section).map(renderSetting);
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

function renderSetting({ about, key, value, source, line }: SectionOrigin): string {
  const place = source === "default" ? "" : `; from ${line === undefined ? source : `${source}:${line}`}\n`;
  const setting = `${key} = ${value}`.trimEnd();
  return `; ${about}\n${place}${setting}\n`;
}

function describe(field: ConfigField): string {
  const { help, unit, type } = CONFIG_KEYS[field];
  return `${help}: ${type.expected}${unit === "" ? "" : ` (${unit})`}`;
}
