/** Text that others wrote, made safe for a terminal. */

/** More than any name has; a process may call itself anything. */
const LENGTH_LIMIT = 200;

/**
 * A text on one line without control characters, which could redraw a terminal, and not too long. Never
 * throws.
 */
export function printable(text: string): string {
  return printableWithin(LENGTH_LIMIT, text);
}

/** The same, cut at a length of one's own. Never throws. */
export function printableWithin(lengthLimit: number, text: string): string {
  const short = text.length > lengthLimit ? `${text.slice(0, lengthLimit)}…` : text;
  // deno-lint-ignore no-control-regex
  return short.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
