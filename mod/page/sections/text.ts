/** Texts that more than one section writes. */

/** A time of day in UTC: `2026-11-29T19:31:05Z` as `19:31:05`. Never throws. */
export function clock(ts: string): string {
  return ts.slice(11, 19);
}

/** A text with a capital letter at its start. Never throws. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Percentages that no line ends in. Never throws. */
export function unbroken(text: string): string {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}
