/**
 * A page of metrics in one of the text formats of Prometheus, as exporters send it.
 *
 *     # TYPE http_requests_total counter
 *     http_requests_total{method="post",code="200"} 1027 1395066363000
 *
 * A page counts whole or not at all: of half a page, the other half would count as gone. It is read every second on small
 * hosts without JIT, hence one pattern a line, which runs in native code, and nothing is kept of what is not wanted.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 * @see https://prometheus.io/docs/specs/om/open_metrics_spec/
 */

import { ParseError, quote } from "../errors.ts";
import type { ExpositionFormat } from "./format.ts";
import { BLANK, KINDS, NAME, OPENMETRICS_COMMENT, SERIES, TYPE, TYPE_START } from "./grammar.ts";
import { type Labels, labelsKey, maybeLabels } from "./labels.ts";

/** Longer pages are refused, in characters: a page that fits tells some thousand instances too much already. */
export const EXPOSITION_LIMIT = 4 * 1024 * 1024;

/** Pages with more lines are refused. */
export const EXPOSITION_LINES_LIMIT = 50_000;

/** One line with a figure. */
export interface Series {
  readonly labels: Labels;
  /** NaN and both infinities are values. */
  readonly value: number;
  /** Line number from 1. */
  readonly line: number;
}

/** What a page holds. */
export interface Exposition {
  /** Kinds that were declared, by the name of the family, such as `counter`. Those of all families. */
  readonly kinds: ReadonlyMap<string, string>;
  /** The series of each name, as it stands on the line, in the order of the page. */
  readonly series: ReadonlyMap<string, readonly Series[]>;
}

const END = "# EOF";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const TAB = 9;
const SPACE = 32;
const HASH = 35;
const BRACE = 123;

/**
 * Reads a page.
 *
 * @param text The whole body
 * @param format By its Content-Type, see {@linkcode formatOf}
 * @param source Where the text is from, for errors
 * @param wanted Names, as they stand on a line, of the series to keep; undefined keeps all. The other lines are read too,
 * and void the page when they are broken, but that they are there twice is not seen
 * @throws {ParseError} If any line is broken, a series or the kind of a family is told twice, a kind comes after its
 * series or is not known, an OpenMetrics page does not end with `# EOF`, or the page is too large
 */
export function parseExposition(
  text: string,
  format: ExpositionFormat,
  source: string,
  wanted?: ReadonlySet<string>,
): Exposition {
  if (text.length > EXPOSITION_LIMIT) {
    throw new ParseError(source, `has ${text.length} characters, expected at most ${EXPOSITION_LIMIT}`);
  }
  const isOpenMetrics = format === "openmetrics";
  const pattern = SERIES[format];
  const kinds = new Map<string, string>();
  const names = new Set<string>();
  const series = new Map<string, Series[]>();
  const keys = new Map<string, Set<string>>();
  let line = 0;
  let at = 0;
  let name: string | undefined;
  let isWanted = false;

  function fail(problem: string): never {
    throw new ParseError(source, problem, line);
  }

  function seen(): string {
    return quote(text.slice(at, endOfLine(text, at)).replace(/\r?\n$/, ""));
  }

  function readType(): boolean {
    TYPE.lastIndex = at;
    const match = TYPE.exec(text);
    if (match === null) return false;
    const family = match[1] ?? "";
    const kind = match[2] ?? "";
    const suffixes = KINDS[format].get(kind) ??
      fail(`kind of ${quote(family)} is ${quote(kind)}, expected ${[...KINDS[format].keys()].join(", ")}`);
    if (kinds.has(family)) fail(`tells the kind of ${quote(family)} twice, expected it once`);
    for (const suffix of suffixes) {
      if (names.has(family + suffix)) {
        fail(`tells the kind of ${quote(family)} after its series, expected it before`);
      }
    }
    kinds.set(family, kind);
    at = TYPE.lastIndex;
    return true;
  }

  function readComment(): void {
    if (text.startsWith("# HELP ", at) && !isOpenMetrics) {
      at = endOfLine(text, at);
      return;
    }
    if (readType()) return;
    TYPE_START.lastIndex = at;
    if (TYPE_START.test(text)) fail(`is ${seen()}, expected a line like "# TYPE name counter"`);
    if (isOpenMetrics) {
      OPENMETRICS_COMMENT.lastIndex = at;
      if (!OPENMETRICS_COMMENT.test(text)) fail(`is ${seen()}, expected HELP, TYPE, UNIT or EOF`);
    }
    at = endOfLine(text, at);
  }

  function keep(seriesName: string, labelText: string, number: string): void {
    const labels = maybeLabels(labelText) ?? fail(`is ${seen()}, expected each label once`);
    const value = toNumber(number) ?? fail(`value is ${quote(number)}, expected a number below 1.8e308`);
    const key = labelsKey(labels);
    const list = series.get(seriesName);
    const known = keys.get(seriesName);
    if (list === undefined || known === undefined) {
      series.set(seriesName, [{ labels, value, line }]);
      keys.set(seriesName, new Set([key]));
      return;
    }
    if (known.has(key)) fail(`is ${seen()}, expected each series once`);
    known.add(key);
    list.push({ labels, value, line });
  }

  function readSeries(): void {
    if (name === undefined || !text.startsWith(name, at) || !endsName(text.charCodeAt(at + name.length))) {
      NAME.lastIndex = at;
      if (!NAME.test(text)) fail(`is ${seen()}, expected a name, labels and a number`);
      name = text.slice(at, NAME.lastIndex);
      names.add(name);
      isWanted = wanted === undefined || wanted.has(name);
    }
    pattern.lastIndex = at;
    if (isWanted) {
      const match = pattern.exec(text);
      if (match === null) fail(`is ${seen()}, expected a name, labels and a number`);
      keep(name, match[2] ?? "", match[3] ?? "");
    } else if (!pattern.test(text)) {
      fail(`is ${seen()}, expected a name, labels and a number`);
    }
    at = pattern.lastIndex;
  }

  while (at < text.length) {
    line++;
    if (line > EXPOSITION_LINES_LIMIT) fail(`is one too many, expected at most ${EXPOSITION_LINES_LIMIT}`);
    if (!isOpenMetrics) {
      at = skipBlank(text, at);
      if (isEmptyFrom(text, at)) {
        at = endOfLine(text, at);
        continue;
      }
    }
    if (text.charCodeAt(at) !== HASH) readSeries();
    else if (isOpenMetrics && isEnd(text, at)) return { kinds, series };
    else readComment();
  }
  if (isOpenMetrics) throw new ParseError(source, `is cut short, expected "${END}" as its last line`, line);
  return { kinds, series };
}

/** Start of the next line, or the length of the text. */
function endOfLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** Whether the rest of the text is the end of an OpenMetrics page; its last newline may be left out. */
function isEnd(text: string, at: number): boolean {
  const end = at + END.length;
  return text.startsWith(END, at) &&
    (end === text.length || (end + 1 === text.length && text.charCodeAt(end) === NEWLINE));
}

function skipBlank(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== SPACE && code !== TAB) return at;
  BLANK.lastIndex = at;
  BLANK.test(text);
  return BLANK.lastIndex;
}

function isEmptyFrom(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === NEWLINE || at === text.length ||
    (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === NEWLINE);
}

function endsName(code: number): boolean {
  return code === BRACE || code === SPACE || code === TAB;
}

/** The number of a text that fits the pattern of numbers; undefined where it is too large to be told from infinity. */
function toNumber(text: string): number | undefined {
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  const word = text.toLowerCase();
  if (word === "nan") return NaN;
  if (!word.includes("i")) return undefined;
  return word.startsWith("-") ? -Infinity : Infinity;
}
