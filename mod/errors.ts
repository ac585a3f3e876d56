/**
 * The one error that text from the kernel, a tool or a recording can cause.
 *
 * `Cannot parse "/proc/pressure/memory" line 2: total is "oops", expected a whole number of microseconds`
 */

/** How much of an unreadable text an error quotes, in characters: enough to see what it is, short enough for one line. */
const QUOTE_LIMIT = 60;

/** Text that is not what its source should hold. The message names the source, the line and what was expected. */
export class ParseError extends Error {
  override readonly name = "ParseError";

  /**
   * @param source What was read: a path, a command line or `standard input`
   * @param problem What was seen and what was expected, as `total is "oops", expected a whole number`
   * @param line Line number from 1, where the text has more than one
   */
  constructor(readonly source: string, readonly problem: string, readonly line?: number) {
    super(`Cannot parse ${quote(source)}${line === undefined ? "" : ` line ${line}`}: ${problem}`);
  }
}

/** Quotes a text for an error message: JSON quotes, cut after 60 characters. Never throws. */
export function quote(text: string): string {
  return JSON.stringify(text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text);
}

/** The message of whatever was thrown. Never throws. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
