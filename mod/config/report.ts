/** Problems of a configuration as text for people and as records for programs. */

import { quote } from "../errors.ts";
import type { Problem } from "./problem.ts";
import { printableWithin } from "../report/printable.ts";
import { countText } from "../report/count.ts";

/** A problem as it is printed as JSON: null where it has no such part. */
export interface ProblemRecord {
  readonly level: string;
  readonly source: string;
  readonly line: number | null;
  readonly key: string | null;
  readonly value: string | null;
  readonly message: string;
  readonly using: string | null;
}

/** What follows a message starts at this column or earlier; longer messages push it to the right. */
const MESSAGE_WIDTH = 84;

/**
 * Problems as aligned lines, grouped by source:
 *
 * ```
 * /etc/loadweir/loadweir.ini
 *   line 7   [agent] nice is "20", expected a whole number from -20 to 19          using 0
 *   line 12  [ladder] resume_fracton: unknown key, did you mean resume_fraction?   ignored
 * ```
 *
 * @returns Lines without line ends; none when there are no problems
 */
export function renderProblems(problems: readonly Problem[]): readonly string[] {
  const sources = [...new Set(problems.map((problem) => problem.source))];
  return sources.flatMap((source) => [
    source,
    ...renderProblemRows(problems.filter((problem) => problem.source === source)).map((row) => `  ${row}`),
  ]);
}

/** The rows of one source, without its name and without indent. */
export function renderProblemRows(problems: readonly Problem[]): readonly string[] {
  const places = problems.map(({ line }) => line === undefined ? "" : `line ${line}`);
  const messages = problems.map(({ message }) => printableWithin(MESSAGE_LIMIT, message));
  const placeWidth = longest(places);
  const gap = placeWidth === 0 ? "" : "  ";
  const widest = longest(messages.filter((message) => message.length <= MESSAGE_WIDTH));
  return problems.map((problem, index) => {
    const place = (places[index] ?? "").padEnd(placeWidth);
    const message = (messages[index] ?? "").padEnd(widest);
    return `${place}${gap}${message}   ${renderOutcome(problem)}`;
  });
}

/**
 * A problem as one sentence for a log: what failed, on what, what was seen and expected, and what applies.
 */
export function renderProblem(problem: Problem): string {
  const verb = problem.level === "advice" ? "Check" : "Cannot use";
  const place = problem.line === undefined ? "" : ` line ${problem.line}`;
  return `${verb} ${quote(problem.source)}${place}: ${printableWithin(MESSAGE_LIMIT, problem.message)}; ${
    renderOutcome(problem)
  }`;
}

/** How many there are, advice apart: `1 problem, 2 to think about`; empty when there are none. */
export function countProblems(problems: readonly Problem[]): string {
  const adviceCount = problems.filter(({ level }) => level === "advice").length;
  const problemCount = problems.length - adviceCount;
  return [
    ...problemCount === 0 ? [] : [countText(problemCount, "problem")],
    ...adviceCount === 0 ? [] : [`${adviceCount} to think about`],
  ].join(", ");
}

/** A problem as a record for JSON. */
export function problemRecord(problem: Problem): ProblemRecord {
  const { level, source, line, key, value, message, using } = problem;
  return {
    level,
    source,
    line: line ?? null,
    key: key ?? null,
    value: value ?? null,
    message,
    using: using ?? null,
  };
}

/** What became of the line: what applies instead, that it is ignored, or that it stays. */
function renderOutcome({ level, using }: Problem): string {
  if (using === undefined) return "ignored";
  if (level === "advice") return "kept";
  return `using ${using === "" ? "nothing" : using}`;
}

/** Length of the longest text, of more texts than Math.max could take as arguments. */
function longest(texts: readonly string[]): number {
  return texts.reduce((length, text) => Math.max(length, text.length), 0);
}

/** A message is cut here: a file is free to hold a key of any length. */
const MESSAGE_LIMIT = 300;
