/** Which tier is the bottleneck. */

import { durationText } from "../../report/duration.ts";
import type { TableText } from "../../report/pressure_table.ts";
import { type Markup, markup } from "../markup.ts";
import type { PageComponent, PageModel, PagePressure } from "../page_model.ts";

/** Columns that hold words: the name and the state. */
const TEXT_COLUMNS = 2;

/** What was found of pressure last, by component, instance and application. Never throws. */
export function pressureSection({ pressure, isPressureWatched }: PageModel): Markup {
  if (pressure === null) {
    return markup`
      <section>
        <h2>Pressure</h2>
        <p class="soft">${isPressureWatched ? notYet() : notWatched()}</p>
      </section>
    `;
  }
  const { found, advice, action, because, score, components, instances, apps, host } = pressure;
  return markup`
    <section>
      <h2>Pressure</h2>
      <p class="headline"><b>${pressure.class}</b></p>
      ${found.map((text) => markup`<p>${text}</p>`)}
      ${advice === null ? undefined : markup`<p><b>Advice:</b> ${advice}</p>`}
      <p><b>Action:</b> ${action}: ${because}</p>
      <dl class="parts">${[score, ...components].map((part) => componentRow(part, pressure))}</dl>
      ${ground(pressure)}
      ${figureTable("instances", "Instances", instances, "[tier] template or [instance:NAME]")}
      ${figureTable("apps", "Applications", apps, "[app:NAME]")}
      <p class="soft small">${host}</p>
    </section>
  `;
}

function notYet(): Markup {
  return markup`Nothing has been evaluated yet: that takes five seconds.`;
}

function notWatched(): Markup {
  return markup`
    Nothing is watched: <code>[tier] template</code>, <code>[instance:NAME]</code> and <code>[app:NAME]</code>
    say which instances of the web tier and which applications there are.
  `;
}

/** What the components are held against. */
function ground({ scaleOutAbove, scaleInBelow, tier, mode, agoMs }: PagePressure): Markup {
  return markup`
    <p class="soft small">
      saturated above ${scaleOutAbove}, idle below ${scaleInBelow}; ${tier}, mode ${mode};
      evaluated ${durationText(agoMs)} ago
    </p>
  `;
}

function componentRow({ name, low, high, isKnown }: PageComponent, { scaleOutAbove }: PagePressure): Markup {
  const kind = name === "score" ? "total" : "";
  const text = isKnown ? low.toFixed(2) : `${low.toFixed(2)} to ${high.toFixed(2)}, unknown`;
  const percent = (ratio: number): string => `${Math.round(Math.min(1, Math.max(0, ratio)) * 1_000) / 10}%`;
  const at = percent(scaleOutAbove);
  return markup`
    <dt class="${kind}">${name}</dt>
    <dd>
      <svg class="bar" width="100%" height="10" aria-hidden="true">
        <rect class="track" width="100%" height="10" rx="3" />
        <rect class="maybe" width="${percent(high)}" height="10" rx="3" />
        <rect class="value" width="${percent(low)}" height="10" rx="3" />
        <line class="at" x1="${at}" x2="${at}" y1="0" y2="10" />
      </svg>
    </dd>
    <dd class="of ${kind}">${text}</dd>
  `;
}

function figureTable(id: string, name: string, { head, rows }: TableText, configuredBy: string): Markup {
  if (rows.length === 0) {
    return markup`
      <p class="soft small">No ${name.toLowerCase()} are configured: <code>${configuredBy}</code>.</p>
    `;
  }
  return markup`
    <div class="scroll" id="${id}" tabindex="0" role="region" aria-label="${name}">
      <table>
        <thead><tr>${head.map(headCell)}</tr></thead>
        <tbody>${rows.map((cells) => markup`<tr>${cells.map(cell)}</tr>`)}</tbody>
      </table>
    </div>
  `;
}

function headCell(text: string, column: number): Markup {
  return markup`<th scope="col" class="${column < TEXT_COLUMNS ? "" : "number"}">${text}</th>`;
}

function cell(text: string, column: number): Markup {
  const kind = column === 0 ? "name" : column < TEXT_COLUMNS ? "nowrap" : "number";
  return markup`<td class="${kind}">${text}</td>`;
}
