/** Rows of the table of settings. */

import type { ValueType } from "./values.ts";

/** One setting. */
export interface ConfigKey<T> {
  /** Its section in `loadweir.ini`. */
  readonly section: string;
  /** Its key there. */
  readonly key: string;
  readonly type: ValueType<T>;
  /** What applies when nobody set it, or not well. */
  readonly fallback: T;
  /** What a plain number counts; empty where the value says it itself. */
  readonly unit: string;
  /** One line of help, without the default. */
  readonly help: string;
  /** Variables of `/root/.barracuda.cnf` that set it too; the first one that is there counts. */
  readonly barracuda: readonly string[];
}

/** What rows that BOA does not know have in common: no unit, unless they say one. */
export function inSection(
  section: string,
  key: string,
  help: string,
): Pick<ConfigKey<unknown>, "section" | "key" | "help" | "unit" | "barracuda"> {
  return { section, key, help, unit: "", barracuda: [] };
}
