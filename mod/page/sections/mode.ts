/** By what is decided here. */

import { durationText } from "../../report/duration.ts";
import { type Markup, markup } from "../markup.ts";
import type { PageModel, PageThreshold } from "../page_model.ts";
import { factRows, type Facts } from "./facts.ts";

/** Thresholds, with what is done at each, and the settings that decide the rest. Never throws. */
export function modeSection({ thresholds, mode }: PageModel): Markup {
  return markup`
    <section>
      <h2>Thresholds and mode</h2>
      <div class="scroll" id="thresholds" tabindex="0" role="region" aria-label="Thresholds">
        <table>
          <thead>
            <tr>
              <th scope="col">tier</th>
              <th scope="col" class="number">percent</th>
              <th scope="col" class="number">load</th>
              <th scope="col">what it does</th>
            </tr>
          </thead>
          <tbody>${thresholds.map(thresholdRow)}</tbody>
        </table>
      </div>
      <dl class="facts mode">${factRows(factsOf(mode))}</dl>
    </section>
  `;
}

function thresholdRow({ name, percent, load, effect }: PageThreshold): Markup {
  return markup`
    <tr>
      <td class="name">${name}</td>
      <td class="number">${name === "resume" ? "below" : "above"} ${percent} %</td>
      <td class="number">${load ?? "?"}</td>
      <td class="evidence">${effect}</td>
    </tr>
  `;
}

function factsOf(mode: PageModel["mode"]): Facts {
  const then = mode.onMaxHold === "resume" ? "the web is given back" : "an alert";
  return [
    [
      "Mode",
      mode.drasticAllowed ? "armed" : "armed, but no load is more than SPIDER: acting would be on a guess",
    ],
    [
      "Passes",
      `every ${secondsText(mode.intervalMs)}, looked at again ${
        secondsText(mode.recheckMs)
      } after one that is over a threshold`,
    ],
    ["Longest hold", mode.maxHoldMs === 0 ? "without end" : `${durationText(mode.maxHoldMs)}, then ${then}`],
    [
      "Second witness",
      mode.witness === "require" ? "must confirm MAX and CRIT" : "is heard, and decides nothing",
    ],
    ["Figures from", mode.source],
  ];
}

function secondsText(ms: number): string {
  return ms % 1_000 === 0 ? durationText(ms) : `${ms} ms`;
}
