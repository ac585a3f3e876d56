/** What was decided last, and on what. */

import { type Markup, markup } from "../markup.ts";
import type { PageEvaluation, PageModel } from "../page_model.ts";
import { factRows } from "./facts.ts";
import { clock } from "./text.ts";

/** The last evaluations, each with its evidence to be opened. Never throws. */
export function recentSection({ recent }: PageModel): Markup {
  if (recent.length === 0) {
    return markup`
      <section>
        <h2>Last evaluations</h2>
        <p class="soft">None yet: the first comes with the first pass.</p>
      </section>
    `;
  }
  return markup`
    <section>
      <h2>Last evaluations, newest first</h2>
      <div class="events">${recent.map(evaluationRow)}</div>
    </section>
  `;
}

function evaluationRow(evaluation: PageEvaluation): Markup {
  const { about, ts, since, count, found, inputs, rule, margin, result } = evaluation;
  const times = count === 1 ? "" : `, ${count} times since ${clock(since)}`;
  return markup`
    <details id="${about}-${since}">
      <summary>
        <span>${clock(ts)}</span><span class="soft">${about}</span>
        <span class="what"><b>${found}</b>: ${actionOf(result)}<span class="soft">${times}</span></span>
      </summary>
      <dl class="facts">
        ${factRows([["Inputs", inputs], ["Rule", rule], ["Margin", margin], ["Result", result]])}
      </dl>
    </details>
  `;
}

/** A result without the code of its reason, which stands in the evidence below. */
function actionOf(result: string): string {
  return result.replace(/ \([\w-]+\)$/, "").replace(/^none: /, "");
}
