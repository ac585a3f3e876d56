/** What an agent has left for the next one, as a value. */

import { messageOf } from "../mod/errors.ts";
import { maybeText } from "./quiet_file.ts";

/**
 * Reads what is kept in a file; undefined where there is none, or what is there cannot be used. Never throws.
 *
 * @param parse Throws for a text that is none of its kind
 * @param report Told why it cannot be used
 */
export function maybeKept<T>(
  path: string,
  parse: (text: string, source: string) => T,
  report: (problem: string) => void,
): T | undefined {
  const text = maybeText(path);
  if (text === undefined) return undefined;
  try {
    return parse(text, path);
  } catch (error) {
    report(messageOf(error));
    return undefined;
  }
}
