/** A row of the table of settings. */

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
