/** The load of the last hour. */

import { durationText } from "../../report/duration.ts";
import { chartText, renderChart } from "../chart.ts";
import { type Markup, markup } from "../markup.ts";
import type { PageModel } from "../page_model.ts";

/** The load of the last hour: a chart, and what there is to see on it in words. Never throws. */
export function loadSection(model: PageModel): Markup {
  const { history, mode } = model;
  const isEmpty = history.loads.every(({ load1Percent, load5Percent }) =>
    load1Percent === null && load5Percent === null
  );
  if (isEmpty) {
    return markup`
      <section>
        <h2>Last hour</h2>
        <p class="soft">
          No load has been read yet: the chart begins with the first pass,
          ${durationText(mode.intervalMs)} after the start (<code>[ladder] interval</code>).
        </p>
      </section>
    `;
  }
  return markup`
    <section>
      <h2>Last hour, percent of the CPUs</h2>
      <p class="soft small">${chartText(model)}</p>
      ${renderChart(model)}
      ${legend(model)}
    </section>
  `;
}

function legend({ history, thresholds }: PageModel): Markup {
  const over = thresholds.filter(({ name }) => name !== "resume")
    .map(({ name, percent }) => `${name} ${percent} %`);
  const held = markup`
    <span><svg width="22" height="12" aria-hidden="true">
      <rect class="held" width="22" height="12" />
      <rect fill="url(#hatch)" width="22" height="12" />
    </svg>web held, hatched</span>
  `;
  return markup`
    <p class="legend">
      <span><svg width="22" height="8" aria-hidden="true">
        <path class="load1" d="M1 4H21" />
      </svg>load 1m, solid</span>
      <span><svg width="22" height="8" aria-hidden="true">
        <path class="load5" d="M1 4H21" />
      </svg>load 5m, dashed</span>
      ${history.loads.some(({ isHeld }) => isHeld) ? held : undefined}
      <span>thresholds ${over.join(", ")}</span>
    </p>
  `;
}
