/** The texts that a configuration is made of. */

/** A text and what it was read from, for messages: a path. */
export interface SourceText {
  readonly source: string;
  readonly text: string;
}

/** From the lowest to the topmost; a missing one says nothing. */
export interface ConfigSources {
  /** The text of `loadweir.ini`. */
  readonly ini?: SourceText | undefined;
  /** The text of `/root/.barracuda.cnf`, where the profile asks for it. */
  readonly barracuda?: SourceText | undefined;
  /** `section.key=value` texts of `--set` options. */
  readonly overrides?: readonly string[] | undefined;
}

/** What the source of `--set` options is called, where a file has its path. */
export const OVERRIDE_SOURCE = "--set";
