/** Blanks around what a peer sent. */

/**
 * A text without the blanks and tabs around it, in a time that its length bounds: an expression that looks for blanks at an end
 * begins anew at each blank before it, and a peer may send thousands. Never throws.
 */
export function withoutOuterBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === " " || text[at] === "\t";
}
