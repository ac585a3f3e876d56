/** The audit panel on a terminal, re-drawn in place each pass. */

import { bold, dim, red, yellow } from "@std/fmt/colors";
import { memoryText } from "../../mod/report/memory.ts";
import { renderPanel } from "../../mod/report/panel.ts";
import { renderSparkline } from "../../mod/report/sparkline.ts";
import { describeSource } from "../source.ts";
import { readMemory } from "../memory.ts";
import type { Pass } from "../agent.ts";
import type { Host } from "./host.ts";
import { print } from "./output.ts";
import { VERSION } from "./version.ts";

/** Passes kept for the sparkline: 12 minutes at the usual interval. */
const HISTORY_LIMIT = 144;

/** Bars of the sparkline. */
const BARS = 24;

/** Where the width of the terminal is not known. */
const DEFAULT_COLUMNS = 80;

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_TO_END = "\x1b[J";

/** Shows panels; without `once` the last line says how to end. */
export function createPanelReport(host: Host, notes: readonly string[], once: boolean): {
  readonly show: (pass: Pass) => void;
  readonly end: () => void;
} {
  const history: { readonly monotonicMs: number; readonly percent: number }[] = [];
  let drawnLines = 0;
  if (!once) print(HIDE_CURSOR);
  return {
    show({ sample, decision, outcomes, lateMs }: Pass): void {
      if (decision.load1Percent !== undefined) {
        history.push({ monotonicMs: sample.monotonicMs, percent: decision.load1Percent });
        if (history.length > HISTORY_LIMIT) history.shift();
      }
      const percents = history.map(({ percent }) => percent);
      const lines = renderPanel({
        version: VERSION,
        host: Deno.hostname(),
        source: describeSource(host.source),
        sample,
        decision,
        rules: host.settings.rules,
        memory: memoryText(readMemory(host.source)),
        sparkline: renderSparkline(percents, Math.max(host.settings.rules.spiderPercent, ...percents), BARS),
        sparklineMs: sample.monotonicMs - (history[0]?.monotonicMs ?? sample.monotonicMs),
        lateMs,
        would: outcomes.map(({ text }) => text),
        notes,
      }).map((line) => coloured(fitted(line), decision.tier));
      if (!once) lines.push("", dim("Ctrl-C ends the audit"));
      const back = drawnLines === 0 ? "" : `\x1b[${drawnLines}A\r${CLEAR_TO_END}`;
      print(`${back}${lines.join("\n")}\n`);
      drawnLines = lines.length;
    },
    end(): void {
      if (!once) print(SHOW_CURSOR);
    },
  };
}

/** A line longer than the terminal would wrap, and the panel could not be re-drawn in place. */
function fitted(line: string): string {
  const { columns } = terminalSize();
  return line.length > columns ? `${line.slice(0, Math.max(1, columns - 1))}…` : line;
}

/** A terminal that does not know its size, as a serial console, says 0. */
function terminalSize(): { readonly columns: number } {
  try {
    const { columns } = Deno.consoleSize();
    return { columns: columns === 0 ? DEFAULT_COLUMNS : columns };
  } catch {
    return { columns: DEFAULT_COLUMNS };
  }
}

function coloured(line: string, tier: string): string {
  const label = line.slice(0, 10);
  const text = line.slice(10);
  if (line.startsWith("loadweir ")) return bold(line);
  if (label === "posture   ") {
    return dim(label) + (tier === "normal" ? text : tier === "spider" ? yellow(text) : red(text));
  }
  return /^[a-z]+ +$/.test(label) ? dim(label) + text : line;
}
