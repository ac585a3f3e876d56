/** The thresholds of a check: in percent, as load on this host, what each does, and where it was set. */

import type { CheckFindings } from "../check/findings.ts";
import type { ConfigField } from "../config/config.ts";
import type { Origin } from "../config/resolve.ts";
import { loadFigure } from "../config/thresholds.ts";
import { maybeValue } from "../reading.ts";
import { printable } from "./printable.ts";
import { countText } from "./count.ts";

/** What a threshold does, and the setting that it comes from. */
interface Step {
  readonly sign: string;
  readonly percent: number;
  readonly effect: string;
  readonly field: ConfigField;
}

/** One line for each threshold: `MAX > 610 % = load 12.2 on 2 CPUs   the web is paused   default`. */
export function ladderLines(findings: CheckFindings): readonly string[] {
  const { config, sensors } = findings;
  const { thresholds, rules, origins } = config;
  const cpuCount = maybeValue(sensors.sample.load)?.cpuCount;
  const drastic = (effect: string): string => rules.drasticAllowed ? effect : "not in effect, see limits";
  const steps: readonly Step[] = [
    {
      sign: "SPIDER >",
      percent: thresholds.spiderPercent,
      effect: "crawlers are turned away",
      field: "spiderRatio",
    },
    {
      sign: "MAX >",
      percent: thresholds.maxPercent,
      effect: drastic("the web is paused"),
      field: "maxRatio",
    },
    {
      sign: "CRIT >",
      percent: thresholds.critPercent,
      effect: drastic("runaways are ended, the web is paused"),
      field: "critRatio",
    },
    {
      sign: "resume <",
      percent: thresholds.resumePercent,
      effect: "the web is given back",
      field: "resumeFraction",
    },
    { sign: "TASK >", percent: thresholds.taskPercent, effect: "backend tasks wait", field: "taskRatio" },
  ];
  return aligned(steps.map(({ sign, percent, effect, field }) => [
    `${sign} ${percent} %${figureText(percent, cpuCount)}`,
    effect,
    originText(origins.find((origin) => origin.field === field)),
  ]));
}

function figureText(percent: number, cpuCount: number | undefined): string {
  return cpuCount === undefined
    ? ""
    : ` = load ${loadFigure(percent, cpuCount)} on ${countText(cpuCount, "CPU")}`;
}

function originText(origin: Origin | undefined): string {
  if (origin === undefined || origin.source === "default") return "default";
  return printable(origin.line === undefined ? origin.source : `${origin.source} line ${origin.line}`);
}

/** Columns as wide as their widest cell. */
function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0))
  );
  return table.map((cells) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   ").trimEnd()
  );
}
