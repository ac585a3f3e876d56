/** What a replay adds up to, as a chart and a table. */

import { plot } from "asciichart";
import Table from "cli-table3";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import { renderLadder } from "../../mod/report/panel.ts";
import type { ReplaySummary } from "../../mod/replay/summary.ts";
import { type Comparison, textOf } from "../../mod/replay/comparison.ts";
import { durationText } from "../../mod/report/duration.ts";

/** All that the report shows. */
export interface ReplayReport {
  readonly source: string;
  readonly samples: number;
  readonly rules: LadderRules;
  /** Peaks of the higher load in percent, oldest first. */
  readonly peaks: readonly number[];
  readonly summary: ReplaySummary;
  /** The same trace without the settings that were changed. */
  readonly baseline: { readonly changed: readonly string[]; readonly summary: ReplaySummary } | undefined;
  /** How the decisions differ from those that were taken then. */
  readonly comparison: Comparison;
}

const CHART_HEIGHT = 8;

/** Renders the report, ready to print. */
export function renderReplay(report: ReplayReport): string {
  const { samples, source, rules, summary, baseline, comparison } = report;
  return [
    "",
    `${samples} samples of ${source} over ${durationText(summary.spanMs)}, ${summary.evaluations} evaluated`,
    ...linesOf(comparison),
    renderLadder(rules, undefined),
    "",
    "higher load in percent of the CPUs, each point the peak of its stretch",
    plot([...report.peaks], { height: CHART_HEIGHT, format: (percent) => percent.toFixed(0).padStart(8) }),
    "",
    baseline === undefined ? table([], rowsOf(summary).map(([label, value]) => [label, value])) : table(
      ["", "as configured", baseline.changed.join(", ")],
      rowsOf(baseline.summary).map((
        [label, value],
        index,
      ) => [label, value, rowsOf(summary)[index]?.[1] ?? ""]),
    ),
    "",
  ].join("\n");
}

function linesOf({ count, differing, first }: Comparison): readonly string[] {
  if (count === 0) return [];
  if (first === undefined) return [`all ${count} decisions come out as they did then`];
  const { lineNumber, then, now } = first;
  return [
    `${differing} of ${count} decisions come out otherwise than then; first in line ${lineNumber}:`,
    `  then  ${textOf(then)}`,
    `  now   ${textOf(now)}`,
  ];
}

function rowsOf(summary: ReplaySummary): readonly (readonly [string, string])[] {
  const { actions } = summary;
  const count = (number: number | undefined): string => String(number ?? 0);
  return [
    [
      "highest load",
      summary.highestPercent === undefined ? "unknown" : `${summary.highestPercent.toFixed(1)} %`,
    ],
    ["load not readable", count(summary.unknown)],
    ["looked at again", count(actions.recheck)],
    ["crawlers blocked", `${count(actions["crawler-block-on"])}, for ${durationText(summary.blockedMs)}`],
    ["web paused", `${count(actions["pause-web"])}, for ${durationText(summary.pausedMs)}`],
    ["longest pause", durationText(summary.longestPauseMs)],
    ["runaways killed", count(actions["kill-runaways"])],
    ["spared for a backup", count(actions["exempt-backup-iowait"])],
    ["pause held futile", count(actions["no-pause-futile"])],
  ];
}

function table(head: string[], rows: string[][]): string {
  const drawn = new Table({ head, style: { head: [], border: [], compact: true } });
  drawn.push(...rows);
  return drawn.toString();
}
