/** The tier that the host is in. */

import { type Markup, markup } from "../markup.ts";
import type { PageModel } from "../page_model.ts";
import { sentence, unbroken } from "./text.ts";

/** The tier, the loads, and what would change it. Never throws. */
export function tierSection(model: PageModel): Markup {
  const { tier, posture, outlook, cpuCount, load1Percent, load5Percent } = model;
  return markup`
    <section class="hero" aria-label="Tier now">
      <div>
        <h2>Tier now</h2>
        <p class="tier">${tier.toUpperCase()}</p>
        <p class="posture">${sentence(unbroken(posture.replace(/^[A-Z]+, /, "")))}</p>
        <ul class="outlook" aria-label="What would change it">${outlook.map(outlookItem)}</ul>
      </div>
      <dl class="loads">
        ${loadStat("1 minute", load1Percent, cpuCount)}
        ${loadStat("5 minutes", load5Percent, cpuCount)}
      </dl>
    </section>
  `;
}

function outlookItem(line: string): Markup {
  const [key, rest] = splitAt(unbroken(line), ": ");
  if (rest === undefined) return markup`<li>${line}</li>`;
  return markup`<li><span class="key">${sentence(key)}:</span> ${rest}</li>`;
}

function loadStat(name: string, percent: number | null, cpuCount: number | null): Markup {
  const load = percent === null || cpuCount === null
    ? "not read"
    : `load ${(percent * cpuCount / 100).toFixed(2)} on ${cpuCount} ${cpuCount === 1 ? "CPU" : "CPUs"}`;
  return markup`
    <div>
      <dt>${name}</dt>
      <dd>${percent === null ? "?" : percent.toFixed(1)}<i> %</i><small>${load}</small></dd>
    </div>
  `;
}

function splitAt(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}
