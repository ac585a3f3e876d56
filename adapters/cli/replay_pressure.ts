/** `loadweir replay --pressure TRACE|-`: evaluations of pressure once more, from what each was made of. */

import Table from "cli-table3";
import type { Config } from "../../mod/config/config.ts";
import { resolveConfig } from "../../mod/config/resolve.ts";
import { thresholdsOfFields } from "../../mod/pressure/config_rules.ts";
import { evaluate } from "../../mod/pressure/evaluate.ts";
import type { PressureThresholds } from "../../mod/pressure/rules.ts";
import { countEvaluation, type PressureCount } from "../../mod/pressure/tally.ts";
import { explainEvaluation } from "../../mod/report/explain_pressure.ts";
import { explanationLines } from "../../mod/report/explanation.ts";
import { parsePressureRecord, recordOfEvaluation } from "../../mod/replay/pressure_record.ts";
import { renderProblem } from "../../mod/config/report.ts";
import { readLineBatches } from "../lines.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { complain, print } from "./output.ts";
import { openTrace } from "./trace_file.ts";

/** Evaluates each line; `--set pressure.…` counts instead of the thresholds of the line. */
export function replayPressure(args: Arguments, name: string): ExitCode {
  const changed = thresholdsSetBy(args.values("set"));
  using stream = openTrace(name);
  const source = name === "-" ? "standard input" : name;
  let lineNumber = 0;
  let rows: readonly PressureCount[] = [];
  let differing = 0;
  let compared = 0;
  for (const lines of readLineBatches(stream.file, source)) {
    const printed: string[] = [];
    try {
      for (const line of lines) {
        lineNumber += 1;
        if (line.trim() === "") continue;
        const record = parsePressureRecord(line, source, lineNumber, changed);
        const evaluation = evaluate(record.input, record.thresholds);
        rows = countEvaluation(rows, evaluation);
        const result = recordOfEvaluation(evaluation);
        if (record.decided !== undefined) {
          compared += 1;
          if (JSON.stringify(result) !== record.decided) differing += 1;
        }
        if (args.has("json")) printed.push(JSON.stringify({ id: record.id, ...result }));
        else if (evaluation.action !== "None" || evaluation.wouldBe !== "None") {
          const { input, thresholds, wallMs } = record;
          printed.push(...explanationLines(explainEvaluation(evaluation, input, thresholds, wallMs)));
        }
      }
    } finally {
      // What was evaluated before a line that cannot be read is not lost.
      if (printed.length > 0) print(`${printed.join("\n")}\n`);
    }
  }
  if (!args.has("json")) print(`${summary(rows, lineNumber, source)}\n`);
  if (differing === 0 || args.values("set").length > 0) return EXIT.ok;
  complain(`loadweir: ${differing} of ${compared} evaluations come out otherwise than then`);
  return EXIT.failed;
}

/** @throws {UsageError} If an override names no setting, not a good value of it, or one that changes nothing */
function thresholdsSetBy(overrides: readonly string[]): Partial<PressureThresholds> {
  const { config, origins, problems } = resolveConfig({ overrides });
  const problem = problems.find(({ level }) => level === "error");
  if (problem !== undefined) throw new UsageError(renderProblem(problem));
  const fields = new Set<keyof Config>(
    origins.filter(({ source }) => source !== "default").map(({ field }) => field),
  );
  const thresholds = thresholdsOfFields(config, fields);
  // A line has the figures of its window: what they were measured by is past.
  if (Object.keys(thresholds).length < fields.size) {
    throw new UsageError(
      `--set ${
        overrides.join(" --set ")
      } has a setting that is no threshold of pressure, so that nothing would change`,
    );
  }
  return thresholds;
}

function summary(rows: readonly PressureCount[], lines: number, source: string): string {
  const table = new Table({
    head: ["class", "action", "reason", "evaluations"],
    style: { head: [], border: [], compact: true },
  });
  for (const { class: name, action, reason, count } of rows) table.push([name, action, reason, `${count}`]);
  return `\n${lines} lines of ${source}\n${table.toString()}`;
}
