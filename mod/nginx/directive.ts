/**
 * The directives of an nginx configuration, one file at a time.
 *
 *     error_log /var/log/nginx/error.log;
 *     http {
 *         include mime.types;               # depth 1
 *     }
 *
 * @see https://nginx.org/en/docs/beginners_guide.html#conf_structure
 */

/** One simple directive: a name, its arguments, and the semicolon that ended it. */
export interface NginxDirective {
  readonly name: string;
  /** As written, without quotes. */
  readonly args: readonly string[];
  /** Blocks of this file that it is in; 0 is where the file itself is included. */
  readonly depth: number;
  /** Where it begins in the text. */
  readonly index: number;
}

/**
 * A comment, a quoted word, what ends a directive or a block, or a plain word. A `#`, a quote or a closing
 * brace inside a word is part of it, as is the brace of `${name}`.
 */
const TOKEN =
  /#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[;{}]|(?:\\.|\$\{|[^\s;{}\\])(?:\\.|\$\{|[^\s;{\\])*/gs;

/**
 * The simple directives of a text, in their order, those inside blocks too; what opens a block is none. What
 * is no valid configuration has some or none. Never throws.
 */
export function* parseDirectives(text: string): Generator<NginxDirective> {
  let words: string[] = [];
  let depth = 0;
  let startIndex = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith("#")) continue;
    if (token === ";" || token === "{" || token === "}") {
      const [name, ...args] = words;
      if (token === ";" && name !== undefined) {
        yield { name, args: args.map(unquoted), depth, index: startIndex };
      }
      if (token === "{") depth++;
      if (token === "}") depth = Math.max(0, depth - 1);
      words = [];
    } else {
      if (words.length === 0) startIndex = index;
      words.push(token);
    }
  }
}

function unquoted(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word;
}
