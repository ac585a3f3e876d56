/**
 * `include` lines of an nginx configuration.
 *
 *     include /etc/nginx/sites-enabled/*;
 *     include loadweir/nginx_high_load.c*;      # relative to the folder of the main file
 *
 * @see https://nginx.org/en/docs/ngx_core_module.html#include
 */

/** One `include`. */
export interface NginxInclude {
  /** As written, without quotes: a path or a pattern of glob(3). */
  readonly pattern: string;
  /** Line of the directive, from 1. */
  readonly line: number;
}

/**
 * A comment, a quoted word, what ends a directive or a block, or a plain word. A `#`, a quote or a closing
 * brace inside a word is part of it, as is the brace of `${name}`.
 */
const TOKEN =
  /#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[;{}]|(?:\\.|\$\{|[^\s;{}\\])(?:\\.|\$\{|[^\s;{\\])*/gs;

/**
 * The `include` directives of a text, in their order. What is no valid configuration has some or none. Never
 * throws.
 */
export function parseIncludes(text: string): readonly NginxInclude[] {
  // Most files have none, and the word is found much faster than tokens are.
  if (!text.includes("include")) return [];
  const includes: NginxInclude[] = [];
  let words: string[] = [];
  let startIndex = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith("#")) continue;
    if (token === ";" || token === "{" || token === "}") {
      const [name, pattern] = words;
      if (name === "include" && pattern !== undefined && token === ";") {
        includes.push({ pattern: unquoted(pattern), line: lineOf(text, startIndex) });
      }
      words = [];
    } else {
      if (words.length === 0) startIndex = index;
      words.push(token);
    }
  }
  return includes;
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function unquoted(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word;
}

/**
 * The absolute path or pattern that an `include` means.
 *
 * @param folder Folder of the main configuration, from which relative ones count, without closing slash
 */
export function resolveInclude(pattern: string, folder: string): string {
  return (pattern.startsWith("/") ? pattern : `${folder}/${pattern}`).replace(/\/{2,}/g, "/");
}
