/** Settings from the command line: `--set ladder.max=5` on top of all files. */

import { nearest } from "../nearest.ts";
import { quote } from "../errors.ts";
import type { ConfigField } from "./config.ts";
import { CONFIG_FIELDS, CONFIG_KEYS, maybeFieldOf } from "./schema.ts";
import type { ConfigSources } from "./sources.ts";

/** A `section.key=value` that names a setting, its value not yet checked, or why it names none. */
export type Override =
  | { readonly field: ConfigField; readonly key: string; readonly text: string }
  | { readonly key: string | undefined; readonly value: string | undefined; readonly problem: string };

/**
 * Puts `section.key=value` texts on top of other sources: they are checked as the files are, when these are
 * resolved.
 *
 * A later text for the same key wins. Never throws.
 */
export function applyOverrides(sources: ConfigSources, overrides: readonly string[]): ConfigSources {
  return { ...sources, overrides: [...sources.overrides ?? [], ...overrides] };
}

/** Reads one `section.key=value`. The key begins after the last dot before the equals sign. Never throws. */
export function parseOverride(text: string): Override {
  const equals = text.indexOf("=");
  const path = text.slice(0, Math.max(equals, 0)).trim();
  const dot = path.lastIndexOf(".");
  if (dot < 1) {
    return { key: undefined, value: undefined, problem: `is ${quote(text)}, expected section.key=value` };
  }
  const value = text.slice(equals + 1).trim();
  const field = maybeFieldOf(path.slice(0, dot), path.slice(dot + 1));
  if (field !== undefined) return { field, key: path, text: value };
  const meant = nearest(
    path,
    CONFIG_FIELDS.map((known) => `${CONFIG_KEYS[known].section}.${CONFIG_KEYS[known].key}`),
  );
  return {
    key: path,
    value,
    problem: `${path}: unknown key${meant === undefined ? "" : `, did you mean ${meant}?`}`,
  };
}
