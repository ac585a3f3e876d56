/**
 * Our own settings files: sections, keys and values, each with its line.
 *
 * ```ini
 * [web] ; a comment
 * message = load at 100% - paused   ; a comment needs a blank before it
 * [probe www.example.org]
 * path = "/status; full"
 * ```
 *
 * There is no nesting: a dot in a name is a dot. There is no interpolation: `%` is a percent sign. A line
 * ends a value.
 */

import { quote } from "../errors.ts";

/** One `key = value` line. */
export interface IniEntry {
  /** The text between the brackets of its section. */
  readonly section: string;
  readonly key: string;
  /** Without blanks and comment around it, and without quotes that enclose all of it. */
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

/** One `[section]` line. */
export interface IniSection {
  readonly name: string;
  readonly line: number;
}

/** A line that does not count, or not all of it. */
export interface IniProblem {
  readonly line: number;
  /** What was seen and what was expected. */
  readonly message: string;
  /** The key that the line is about, as `[section] key`. */
  readonly key?: string;
  readonly value?: string;
  /** What counts instead, where something does. */
  readonly using?: string;
}

/** A file of settings as it stands, known keys or not. */
export interface IniFile {
  readonly source: string;
  readonly sections: readonly IniSection[];
  /** In the order of the file, repeated keys included: the last one counts. */
  readonly entries: readonly IniEntry[];
  readonly problems: readonly IniProblem[];
  /**
   * Why nothing of this text can be trusted: it is binary, or has content and yet no section.
   */
  readonly unusable: string | undefined;
}

/** How a section's key is called in messages. */
export function iniKey(section: string, key: string): string {
  return `[${section}] ${key}`;
}

/**
 * Reads a settings file; takes a byte order mark, Windows line ends and a missing last line end. Never
 * throws.
 */
export function parseIni(text: string, source: string): IniFile {
  if (text.includes("\0")) {
    const unusable = "has NUL bytes, expected plain text (a file saved as UTF-16 looks like this)";
    return { source, sections: [], entries: [], problems: [], unusable };
  }
  const sections: IniSection[] = [];
  const entries: IniEntry[] = [];
  const problems: IniProblem[] = [];
  const latest = new Map<string, IniEntry>();
  // Undefined before the first section, null below one that could not be read.
  let section: string | null | undefined;

  for (const [index, raw] of text.split("\n").entries()) {
    const line = index + 1;
    const content = parseLine(raw);
    switch (content.kind) {
      case "nothing":
        break;
      case "section":
        section = content.name;
        sections.push({ name: content.name, line });
        if (content.rest !== "") problems.push(restProblem(line, content.name, content.rest));
        break;
      case "broken-section":
        section = null;
        problems.push({ line, message: `${content.problem}; the keys below it are ignored too` });
        break;
      case "setting": {
        const { key, value } = content;
        if (section === undefined) {
          problems.push({ line, message: `${key} stands before any [section]`, key, value });
        } else if (section !== null) {
          const entry = { section, key, value, line };
          const earlier = latest.get(iniKey(section, key));
          if (earlier !== undefined) problems.push(repeatedProblem(earlier, line));
          latest.set(iniKey(section, key), entry);
          entries.push(entry);
        }
        break;
      }
      case "unknown":
        problems.push({ line, message: content.problem });
        break;
    }
  }
  const unusable = sections.length === 0 && problems.length > 0 ? "has no [section] in it" : undefined;
  return { source, sections, entries, problems, unusable };
}

/** What one line is. */
type Line =
  | { readonly kind: "nothing" }
  | { readonly kind: "section"; readonly name: string; readonly rest: string }
  | { readonly kind: "broken-section"; readonly problem: string }
  | { readonly kind: "setting"; readonly key: string; readonly value: string }
  | { readonly kind: "unknown"; readonly problem: string };

function parseLine(raw: string): Line {
  // Also takes off the carriage return of Windows and, in line 1, a byte order mark.
  const content = raw.trim();
  if (content === "" || isComment(content)) return { kind: "nothing" };
  if (content.startsWith("[")) {
    const end = content.indexOf("]");
    const name = content.slice(1, Math.max(end, 1)).trim();
    if (name === "") {
      return { kind: "broken-section", problem: `section is ${quote(content)}, expected [name]` };
    }
    const rest = content.slice(end + 1).trim();
    return { kind: "section", name, rest: isComment(rest) ? "" : rest };
  }
  const equals = content.indexOf("=");
  const key = content.slice(0, Math.max(equals, 0)).trim();
  if (key !== "") return { kind: "setting", key, value: parseValue(content.slice(equals + 1)) };
  return {
    kind: "unknown",
    problem: `line is ${quote(content)}, expected key = value, [section] or a comment`,
  };
}

function isComment(content: string): boolean {
  return content.startsWith(";") || content.startsWith("#");
}

/**
 * A value without its comment and its quotes. A comment begins after a blank; inside quotes there is none.
 */
function parseValue(text: string): string {
  const [, , quoted] = /^\s*(["'])(.*?)\1\s*(?:\s[;#].*)?$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  const comment = text.search(/\s[;#]/);
  return (comment < 0 ? text : text.slice(0, comment)).trim();
}

function restProblem(line: number, name: string, rest: string): IniProblem {
  const message = `[${name}] is followed by ${quote(rest)}, expected nothing or a comment`;
  return { line, message, using: `[${name}]` };
}

function repeatedProblem({ section, key, value, line }: IniEntry, again: number): IniProblem {
  const message = `${iniKey(section, key)} is set again in line ${again}, the last one counts`;
  return { line, message, key: iniKey(section, key), value, using: `line ${again}` };
}
