/** One line of `key=value` pairs, as Go's logfmt has them. */

/** The pairs in their order; those without a value are left out. Never throws. */
export function logfmt(fields: readonly (readonly [string, string | undefined])[]): string {
  const words: string[] = [];
  for (const [key, value] of fields) {
    if (value !== undefined) {
      words.push(`${key}=${/^[\w.:,/?-]+$/.test(value) ? value : JSON.stringify(value)}`);
    }
  }
  return words.join(" ");
}
