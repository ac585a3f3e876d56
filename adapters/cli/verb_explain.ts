/** `loadweir explain [N]`: the last evaluations of the ladder and of pressure, each with what it turned on. */

import { messageOf } from "../../mod/errors.ts";
import { evaluate } from "../../mod/pressure/evaluate.ts";
import { explainDecision } from "../../mod/report/explain_ladder.ts";
import { explainEvaluation } from "../../mod/report/explain_pressure.ts";
import { type Explanation, explanationLines, explanationRecord } from "../../mod/report/explanation.ts";
import { parsePressureRecord } from "../../mod/replay/pressure_record.ts";
import { beginReplay } from "../../mod/replay/replay.ts";
import { JOURNAL_PATH } from "../journal.ts";
import { readLineBatches } from "../lines.ts";
import { PRESSURE_JOURNAL_PATH } from "../pressure/pressure_journal.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { complain, print } from "./output.ts";
import { loadSettings } from "./settings.ts";
import { rulesOfHead } from "./verb_replay.ts";

/** Evaluations shown where nobody said how many: a minute of the ladder and of pressure. */
const DEFAULT_COUNT = 24;

/** More than two files of each journal hold. */
const COUNT_LIMIT = 1_000_000;

/** Prints the last evaluations, the oldest first. */
export async function explain(args: Arguments): Promise<ExitCode> {
  const count = countOf(args);
  const problems: string[] = [];
  const explanations = [
    ...args.has("pressure") ? [] : await lastDecisions(args, count, problems),
    ...args.has("ladder") ? [] : lastEvaluations(count, problems),
  ].sort((a, b) => (a.wallMs ?? 0) - (b.wallMs ?? 0)).slice(-count);
  for (const problem of problems) complain(`loadweir: ${problem}`);
  if (explanations.length === 0) {
    complain(`loadweir: nothing was evaluated yet: ${JOURNAL_PATH} is kept by an armed agent, loadweir run`);
    return EXIT.failed;
  }
  const texts = args.has("json")
    ? explanations.map((one) => JSON.stringify(explanationRecord(one)))
    : explanations.flatMap(explanationLines);
  print(`${texts.join("\n")}\n`);
  return EXIT.ok;
}

function countOf(args: Arguments): number {
  const [text] = args.operands;
  if (text === undefined) return DEFAULT_COUNT;
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= COUNT_LIMIT) return count;
  throw new UsageError(`N is ${JSON.stringify(text)}, expected a whole number from 1 to ${COUNT_LIMIT}`);
}

/** The ladder's: its journal replayed, which gives the decisions that were taken. */
async function lastDecisions(args: Arguments, count: number, problems: string[]): Promise<Explanation[]> {
  const { rules } = await loadSettings(args);
  let kept: Explanation[] = [];
  for (const path of bothFiles(JOURNAL_PATH)) {
    const run = beginReplay(rules, path, (head) => rulesOfHead(head, []));
    readLines(path, problems, (line) => {
      const decision = run.take(line);
      if (decision !== undefined) kept.push(explainDecision(decision, run.rules(), run.wallMs()));
      if (kept.length > KEPT_TIMES * count) kept = kept.slice(-count);
    });
  }
  return kept.slice(-count);
}

/** Those of pressure: each line holds all that it was made of. */
function lastEvaluations(count: number, problems: string[]): readonly Explanation[] {
  let lines: { readonly text: string; readonly path: string; readonly number: number }[] = [];
  for (const path of bothFiles(PRESSURE_JOURNAL_PATH)) {
    readLines(path, problems, (text, number) => {
      lines.push({ text, path, number });
      if (lines.length > KEPT_TIMES * count) lines = lines.slice(-count);
    });
  }
  return lines.slice(-count).flatMap(({ text, path, number }) => {
    try {
      const { input, thresholds, wallMs } = parsePressureRecord(text, path, number);
      return [explainEvaluation(evaluate(input, thresholds), input, thresholds, wallMs)];
    } catch (error) {
      problems.push(messageOf(error));
      return [];
    }
  });
}

/** How many more than wanted are kept before they are cut down: cutting each time would copy all of them each time. */
const KEPT_TIMES = 4;

/** A journal, and the one before it, which is read first. */
function bothFiles(path: string): readonly string[] {
  return [path.replace(/(\.\w+)$/, ".1$1"), path];
}

/** Reads a file that may not be there; what cannot be read is told, and ends it. Lines count from 1. */
function readLines(path: string, problems: string[], take: (line: string, number: number) => void): void {
  let number = 0;
  try {
    using file = Deno.openSync(path);
    for (const lines of readLineBatches(file, path)) {
      for (const line of lines) {
        number += 1;
        if (line !== "") take(line, number);
      }
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) problems.push(messageOf(error));
  }
}
