/**
 * Patterns of glob(3), as nginx and php-fpm take them in their includes.
 *
 *     /etc/nginx/sites-enabled/*          /etc/php/8.?/fpm/pool.d/[a-z]*.conf
 *
 * @see https://man7.org/linux/man-pages/man7/glob.7.html
 */

/** Whether a text is a pattern, which may stand for no file at all. */
export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/**
 * Whether a pattern stands for a path, both absolute. `*`, `?` and `[…]` do not cross a slash, and do not
 * stand for a dot that begins a name. Never throws.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const names = path.split("/");
  return parts.length === names.length && parts.every((part, index) => matchesName(part, names[index] ?? ""));
}

function matchesName(part: string, name: string): boolean {
  if (!isGlob(part)) return part === name;
  if (name.startsWith(".") && !part.startsWith(".")) return false;
  try {
    return new RegExp(`^${expressionOf(part)}$`, "s").test(name);
  } catch {
    // A class such as [z-a] stands for nothing.
    return false;
  }
}

/** One name of a pattern as a regular expression. A bracket without its partner stands for itself. */
function expressionOf(part: string): string {
  return part.replace(
    /\*+|\?|\[([!^]?)(\]?[^\]]*)\]|\\(.)|([.+^${}()|[\]\\])/gs,
    (whole: string, negation?: string, members?: string, escaped?: string, special?: string): string => {
      if (whole.startsWith("*")) return ".*";
      if (whole === "?") return ".";
      if (members !== undefined) {
        return `[${negation === "" ? "" : "^"}${members.replace(/[\\\]^[]/g, "\\$&")}]`;
      }
      return escaped === undefined ? `\\${special}` : escaped.replace(/\W/, "\\$&");
    },
  );
}
