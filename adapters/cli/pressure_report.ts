/** Pressure on a terminal: a panel and its tables, re-drawn in place by whoever watches. */

import { bold, dim, green, red, setColorEnabled, yellow } from "@std/fmt/colors";
import Table from "cli-table3";
import { timestamp } from "../../mod/report/timestamp.ts";
import type { TableText } from "../../mod/report/pressure_table.ts";
import { row } from "../../mod/report/panel.ts";
import type { PressureView } from "../../mod/report/pressure_view.ts";

/** Renders a view, without a line end after the last line. */
export function renderPressure(view: PressureView, source: string, isColoured: boolean): string {
  if (isColoured) setColorEnabled(true);
  const title = `loadweir pressure · ${timestamp(view.wallMs)} · ${source}`;
  const lines = [
    isColoured ? bold(title) : title,
    ...view.lines.map((line) => isColoured ? coloured(line) : line),
    row("host", view.host),
    ...tableLines(view.instances),
    ...tableLines(view.apps),
  ];
  return lines.join("\n");
}

function tableLines({ head, rows }: TableText): readonly string[] {
  if (rows.length === 0) return [];
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  table.push(...rows.map((cells) => [...cells]));
  return ["", ...table.toString().split("\n")];
}

/** What is saturated stands out, what is well does not. */
function coloured(line: string): string {
  const label = line.slice(0, 10);
  const text = line.slice(10);
  switch (label.trim()) {
    case "class":
      return dim(label) +
        (/^Unknown \((?:idle|nominal)\)/.test(text)
          ? green(text)
          : /^Unknown/.test(text)
          ? yellow(text)
          : red(text));
    case "action":
      return dim(label) + (text.startsWith("none:") ? text : yellow(text));
    default:
      return dim(label) + text;
  }
}
