/**
 * The labels of one series, as they stand between the braces:
 *
 *     le="0.05",route="/a\"b"
 */

const NAME_PATTERN = String.raw`[a-zA-Z_]\w*`;
const VALUE_PATTERN = String.raw`[^"\\\n]*(?:\\[\\"n][^"\\\n]*)*`;

/** Pattern of one label with the blanks after it. No two of its parts match the same character: it takes linear time. */
export const LABEL_PATTERN = String.raw`${NAME_PATTERN}[ \t]*=[ \t]*"${VALUE_PATTERN}"[ \t]*`;

/** Labels by name, values unescaped; one with an empty value is the same as none and is left out. */
export type Labels = ReadonlyMap<string, string>;

const LABEL = new RegExp(String.raw`(${NAME_PATTERN})[ \t]*=[ \t]*"(${VALUE_PATTERN})"`, "g");
const ESCAPE = /\\./g;
const NO_LABELS: Labels = new Map();

/**
 * Reads labels that are known to fit {@linkcode LABEL_PATTERN} with commas between.
 *
 * @param text What stands between the braces
 * @returns Undefined where a name is there twice
 */
export function maybeLabels(text: string): Labels | undefined {
  if (text === "") return NO_LABELS;
  const labels = new Map<string, string>();
  let names: Set<string> | undefined;
  LABEL.lastIndex = 0;
  for (let match = LABEL.exec(text); match !== null; match = LABEL.exec(text)) {
    const name = match[1] ?? "";
    const value = match[2] ?? "";
    if (labels.has(name) || names?.has(name)) return undefined;
    if (value === "") (names ??= new Set()).add(name);
    else labels.set(name, value.includes("\\") ? value.replace(ESCAPE, unescapeOne) : value);
  }
  return labels;
}

/** The same text for the same labels in any order; `without` is a label that does not count. */
export function labelsKey(labels: Labels, without?: string): string {
  const parts: string[] = [];
  for (const [name, value] of labels) {
    if (name !== without) parts.push(`${name}=${JSON.stringify(value)}`);
  }
  return parts.length > 1 ? parts.sort().join() : parts[0] ?? "";
}

function unescapeOne(escape: string): string {
  return escape === "\\n" ? "\n" : escape.slice(1);
}
