/** What was done, and what went wrong. */

import { type Markup, markup } from "../markup.ts";
import type { PageEvent, PageModel } from "../page_model.ts";

/** The last actions beside the last errors. Never throws. */
export function eventsSection({ actions, errors }: PageModel): Markup {
  return markup`
    <div class="two">
      <section>
        <h2>Last actions</h2>
        ${eventList(actions, "Nothing has been done since this agent started.")}
      </section>
      <section>
        <h2>Last errors</h2>
        ${eventList(errors, "Nothing has gone wrong since this agent started.")}
      </section>
    </div>
  `;
}

function eventList(events: readonly PageEvent[], whenEmpty: string): Markup {
  if (events.length === 0) return markup`<p class="soft">${whenEmpty}</p>`;
  return markup`<ul class="log">${events.map(eventItem)}</ul>`;
}

function eventItem({ ts, text }: PageEvent): Markup {
  const time = ts.replace("T", " ").replace("Z", "");
  return markup`<li><span class="soft">${time}</span><span>${text}</span></li>`;
}
