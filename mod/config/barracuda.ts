/**
 * BOA's own settings, `/root/.barracuda.cnf`: a file that bash sources, read here without running anything.
 *
 * ```sh
 * _MY_EMAIL="admin@example.org" #------- System admin email
 * export _CPU_MAX_RATIO=6.1
 * ```
 *
 * Words are taken apart as bash does it: quotes, backslashes, a comment only after a blank. Whatever bash
 * would have to run (`$(nproc)`, `$OTHER`) makes the value flawed. An assignment on a line of its own always
 * counts, also inside an `if`; one that belongs to a command never does.
 *
 * @see https://www.gnu.org/software/bash/manual/html_node/Shell-Parameters.html
 */

import { quote } from "../errors.ts";

/** One `NAME=value`. */
export interface BarracudaEntry {
  readonly key: string;
  readonly value: string;
  /** Why the value cannot be used, where bash would not simply take it as it stands. */
  readonly flaw: string | undefined;
  /** From 1. */
  readonly line: number;
}

/** A place where bash would read the file otherwise than it looks. */
export interface BarracudaProblem {
  readonly line: number;
  readonly message: string;
  readonly key: string;
}

/** All settings of the file, ours and the hundreds of others. */
export interface BarracudaFile {
  readonly source: string;
  /** In the order of the file, repeated names included: the last one counts. */
  readonly entries: readonly BarracudaEntry[];
  readonly problems: readonly BarracudaProblem[];
  /** Why nothing of this text can be trusted: it is binary, or has content and yet no setting. */
  readonly unusable: string | undefined;
}

/**
 * A setting up to its equals sign; one with a blank before it, which bash takes for a command, is also found.
 */
const ASSIGNMENT = /(?:export[ \t]+)?([A-Za-z_]\w*)(\+?=|[ \t]+=)/y;
const COMMENT_OR_BLANK_LINES = /(?:[ \t\n;]+|#.*)*/y;
const BLANKS = /[ \t]*/y;
const SINGLE_QUOTED = /'([^']*)'/y;
const DOUBLE_QUOTED = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y;
const ESCAPED = /\\([\s\S])/y;
const UNQUOTED = /[^\s'"\\;&|<>()]+/y;
const HOLDS_ASSIGNMENT = /\n[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*=/;

/** The flaw of a word that no quote ends. */
const UNCLOSED = "has a quote that is never closed";

/** A shell word: its text, what is wrong with it, and where it ends. */
interface Word {
  readonly text: string;
  readonly flaw: string | undefined;
  readonly end: number;
}

/**
 * Reads BOA's settings. Takes a byte order mark and Windows line ends. Never throws, never runs anything.
 *
 * @param source What the text was read from, for messages: a path
 */
export function parseBarracuda(text: string, source: string): BarracudaFile {
  if (text.includes("\0")) {
    return { source, entries: [], problems: [], unusable: "has NUL bytes, expected plain text" };
  }
  const script = text.replace(/^\uFEFF/, "").replace(/\r(?=\n|$)/g, "");
  const entries: BarracudaEntry[] = [];
  const problems: BarracudaProblem[] = [];
  let hasContent = false;
  let position = 0;
  let line = 1;
  const moveTo = (end: number): void => {
    line += script.slice(position, end).split("\n").length - 1;
    position = end;
  };

  while (true) {
    moveTo(position + lengthAt(COMMENT_OR_BLANK_LINES, script, position));
    if (position >= script.length) break;
    hasContent = true;

    const start = matchAt(ASSIGNMENT, script, position);
    if (start === undefined) {
      moveTo(lineEnd(script, position));
      continue;
    }
    const [all, key = "", operator = ""] = start;
    const word = readWord(script, position + all.length);
    const next = word.end + lengthAt(BLANKS, script, word.end);
    const trailing = script.slice(next, lineEnd(script, next));
    entries.push({ key, value: word.text, flaw: flawOf(operator, word, trailing), line });

    const quoted = script.slice(position, word.end);
    const lastLine = line + quoted.split("\n").length - 1;
    if (word.flaw === UNCLOSED) {
      const message = `${key} opens a quote that is never closed, so bash cannot read the file`;
      problems.push({ line, key, message });
    } else if (HOLDS_ASSIGNMENT.test(quoted)) {
      problems.push({
        line,
        key,
        message: `${key} opens a quote that hides all settings up to line ${lastLine}`,
      });
    }
    moveTo(next);
  }
  const unusable = hasContent && entries.length === 0 ? "has no setting in it" : undefined;
  return { source, entries, problems, unusable };
}

/** Reads the word at a position, as bash does before it runs anything. */
function readWord(script: string, start: number): Word {
  let text = "";
  let flaw: string | undefined;
  let position = start;
  while (position < script.length) {
    const single = matchAt(SINGLE_QUOTED, script, position);
    const double = matchAt(DOUBLE_QUOTED, script, position);
    const escaped = matchAt(ESCAPED, script, position);
    const unquoted = matchAt(UNQUOTED, script, position);
    const piece = single ?? double ?? escaped ?? unquoted;
    if (piece === undefined) break;
    const [all, content = all] = piece;
    if ((double ?? unquoted) !== undefined && /[$`]/.test(content.replace(/\\[$`]/g, ""))) {
      flaw = "holds a shell expansion, which is never run here";
    }
    if (double !== undefined) text += content.replace(/\\\n/g, "").replace(/\\(["\\$`])/g, "$1");
    else if (escaped === undefined || content !== "\n") text += content;
    position += all.length;
  }
  if (script[position] !== '"' && script[position] !== "'") return { text, flaw, end: position };
  // Bash would give up here. Reading on with the next line finds more of what was meant.
  const end = lineEnd(script, start);
  return { text: script.slice(start, end), flaw: UNCLOSED, end };
}

function flawOf(operator: string, word: Word, trailing: string): string | undefined {
  if (operator === "+=") return "is appended to with +=, expected a plain =";
  if (operator !== "=") return "has a blank before the =, so that bash does not set it";
  if (word.flaw !== undefined) return word.flaw;
  return isCommand(trailing)
    ? `is followed by ${quote(trailing.trim())}, so that bash does not keep it`
    : undefined;
}

/**
 * Whether what follows a value on its line is neither a comment nor another setting: `NAME=1 program` sets
 * nothing.
 */
function isCommand(trailing: string): boolean {
  return trailing !== "" && !/^(?:[;#]|(?:export[ \t]+)?[A-Za-z_]\w*=)/.test(trailing);
}

/** The match of a sticky pattern that begins exactly at a position. */
function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}

function lengthAt(pattern: RegExp, text: string, position: number): number {
  return matchAt(pattern, text, position)?.[0].length ?? 0;
}

function lineEnd(script: string, position: number): number {
  const end = script.indexOf("\n", position);
  return end < 0 ? script.length : end;
}
