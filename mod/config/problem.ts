/** What is wrong with a configuration, in a form that can be shown, logged and counted. */

/**
 * How bad it is: `error` makes the whole source unusable, with `warning` a line does not count as it stands,
 * with `advice` it counts and is probably not meant.
 */
export type ProblemLevel = "error" | "warning" | "advice";

/** One problem of one source. */
export interface Problem {
  /** The file, or `--set`. */
  readonly source: string;
  /** From 1; undefined when it is about the source as a whole. */
  readonly line: number | undefined;
  /** The key as it is called there: `[ladder] max`, `_CPU_MAX_RATIO`, `ladder.max`. */
  readonly key: string | undefined;
  /** What stands there. */
  readonly value: string | undefined;
  /** What was seen and what was expected. */
  readonly message: string;
  /** What applies instead; undefined when the line is ignored. */
  readonly using: string | undefined;
  readonly level: ProblemLevel;
}
