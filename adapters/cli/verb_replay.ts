/** `loadweir replay TRACE|-`: the ladder, or pressure, over a recording. */

import { resolveConfig } from "../../mod/config/resolve.ts";
import { type LadderRules, rulesOf } from "../../mod/ladder/rules.ts";
import type { Decision } from "../../mod/ladder/decision.ts";
import { recordOfDecision } from "../../mod/replay/decision_record.ts";
import type { JournalHead } from "../../mod/replay/journal_head.ts";
import { beginReplay, type Replay } from "../../mod/replay/replay.ts";
import { beginLoadProfile } from "../../mod/replay/load_profile.ts";
import { beginTally } from "../../mod/replay/summary.ts";
import { renderEvidence } from "../../mod/report/evidence.ts";
import { readLineBatches } from "../lines.ts";
import type { Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { complain, print } from "./output.ts";
import { loadSettings } from "./settings.ts";
import { openTrace, type SyncReader } from "./trace_file.ts";

/** Points of the load chart: it fits a terminal of 80 columns. */
const CHART_POINTS = 64;

/**
 * Replays a trace, by the settings of this host; a journal by those that it was written by. `--config` counts for both,
 * and `--set` lies on top.
 *
 * @returns Failed when a journal, by nothing but its own settings, comes out otherwise than it did
 */
export async function replay(args: Arguments): Promise<ExitCode> {
  const name = args.operands[0] ?? "-";
  if (args.has("pressure")) return (await import("./replay_pressure.ts")).replayPressure(args, name);
  const changed = args.values("set");
  const settings = await loadSettings(args, { overrides: changed });
  using stream = openTrace(name);
  const source = name === "-" ? "standard input" : name;
  const begin = (rules: LadderRules, overrides: readonly string[]): Replay =>
    args.value("config") === undefined
      ? beginReplay(rules, source, (head) => rulesOfHead(head, overrides))
      : beginReplay(rules, source);
  const run = begin(settings.rules, changed);
  if (args.has("json")) replayJson(stream.file, source, run);
  else {
    const baseline = changed.length === 0
      ? undefined
      : { changed, run: begin((await loadSettings(args)).rules, []) };
    await replayText(stream.file, source, run, baseline);
  }
  const { count, differing } = run.comparison();
  if (differing === 0 || changed.length > 0 || args.value("config") !== undefined) return EXIT.ok;
  complain(`loadweir: ${differing} of ${count} decisions come out otherwise than then`);
  return EXIT.failed;
}

/** The rules that a head of a journal says, with these settings on top. */
export function rulesOfHead(
  { settings, drasticAllowed }: JournalHead,
  overrides: readonly string[],
): LadderRules {
  return rulesOf(resolveConfig({ overrides: [...settings, ...overrides] }).config, !drasticAllowed);
}

/** One decision a line, as many at once as were read at once. */
function replayJson(file: SyncReader, source: string, run: Replay): void {
  for (const lines of readLineBatches(file, source)) {
    const printed: string[] = [];
    try {
      for (const line of lines) {
        const decision = run.take(line);
        if (decision !== undefined) printed.push(`${JSON.stringify(recordOfDecision(decision))}\n`);
      }
    } finally {
      // What was decided before a line that cannot be read is not lost.
      if (printed.length > 0) print(printed.join(""));
    }
  }
}

/** What would have been done, and what it adds up to; beside the same without `--set` where that was given. */
async function replayText(
  file: SyncReader,
  source: string,
  run: Replay,
  baseline: { readonly changed: readonly string[]; readonly run: Replay } | undefined,
): Promise<void> {
  const tally = beginTally();
  const baselineTally = beginTally();
  const profile = beginLoadProfile(CHART_POINTS);
  for (const lines of readLineBatches(file, source)) {
    for (const line of lines) {
      const decision = run.take(line);
      const before = baseline?.run.take(line);
      if (before !== undefined) baselineTally.add(before);
      if (decision === undefined) continue;
      tally.add(decision);
      profile.add(Math.max(decision.load1Percent ?? 0, decision.load5Percent ?? 0));
      if (isEvent(decision)) {
        print(`${renderEvidence(decision, { wallMs: run.wallMs(), mode: "replay", source: "trace" })}\n`);
      }
    }
  }
  if (run.sampleCount() === 0) {
    complain(`loadweir: "${source}" holds no sample`);
    return;
  }
  const { renderReplay } = await import("./replay_report.ts");
  print(renderReplay({
    source,
    samples: run.sampleCount(),
    rules: run.rules(),
    peaks: profile.peaks(),
    summary: tally.summary(),
    baseline: baseline && { changed: baseline.changed, summary: baselineTally.summary() },
    comparison: run.comparison(),
  }));
}

/** Whether an evaluation did or told something, other than to look again. */
function isEvent(decision: Decision): boolean {
  return decision.alerts.length > 0 || decision.actions.some((action) => action !== "recheck");
}
