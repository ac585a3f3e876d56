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
import { beginRedraw, fitted } from "./redraw.ts";
import { VERSION } from "./version.ts";

/** Passes kept for the sparkline: 12 minutes at the usual interval. */
const HISTORY_LIMIT = 144;

/** Bars of the sparkline. */
const BARS = 24;

/** Shows panels; without `once` the last line says how to end. */
export function createPanelReport(host: Host, notes: readonly string[], once: boolean): {
  readonly show: (pass: Pass) => void;
  readonly end: () => void;
} {
  const history: { readonly monotonicMs: number; readonly percent: number }[] = [];
  const redraw = once ? undefined : beginRedraw();
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
      if (redraw === undefined) print(`${lines.join("\n")}\n`);
      else redraw.show([...lines, "", dim("Ctrl-C ends the audit")]);
    },
    end: () => redraw?.end(),
  };
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
