/** What is held of this host. */

import { durationText } from "../../report/duration.ts";
import { type Markup, markup } from "../markup.ts";
import type { PageHold, PageModel, PageProbe } from "../page_model.ts";
import { factRows, type Facts } from "./facts.ts";
import { clock } from "./text.ts";

const OUTLET_TEXT: Readonly<Record<PageProbe["phase"], string>> = {
  starting: "host not proven yet",
  in: "host not drained",
  drained: "host drained: balancers are told to send nobody",
};

/** What is held: a banner for a pause of the web, one line where nothing is. Never throws. */
export function holdSection(model: PageModel): Markup {
  const { pass, hold } = model;
  if (pass === null) return calm(markup`<p class="soft">No pass yet: what is held is not known.</p>`);
  const rest = restOf(model);
  if (hold === null) {
    const isAllGivenBack = !model.crawlersBlocked && model.probe?.phase !== "drained";
    return calm(markup`
      <ul>
        <li><b>${isAllGivenBack ? "Nothing is held" : "The web is not paused"}</b></li>
        ${rest.map((text) => markup`<li>${text}</li>`)}
      </ul>
    `);
  }
  return markup`
    <section class="hold" aria-label="What is held">
      <h2>HOLD: ${hold.headline}</h2>
      <dl class="facts">${factRows([...factsOf(hold), ["Also", rest.join("; ")]])}</dl>
    </section>
  `;
}

function calm(content: Markup): Markup {
  return markup`<section class="calm" aria-label="What is held">${content}</section>`;
}

/** What may be held beside the web, in words. */
function restOf({ crawlersBlocked, probe, markers, futileAtPercent }: PageModel): readonly string[] {
  return [
    crawlersBlocked ? "crawlers are blocked" : "crawlers are served",
    ...probe === null ? [] : [OUTLET_TEXT[probe.phase]],
    ...markers.length === 0 ? [] : [`markers ${markers.join(", ")}`],
    ...futileAtPercent === null
      ? []
      : [`a pause at ${futileAtPercent} % did not help, and is not repeated for now`],
  ];
}

function factsOf({ since, text, services, waitsFor, ends, endsInMs }: PageHold): Facts {
  return [
    ["Since", since === null ? "unknown" : `${clock(since)} UTC`],
    ["Why", text],
    [
      "Stopped",
      services.length === 0
        ? "nothing was running, so nothing will be started"
        : `${services.join(", ")}; will be started again`,
    ],
    ["Waits", waitsFor?.replace(/^waits /, "") ?? "for a person: loadweir resume"],
    [
      "Ends",
      ends === null || endsInMs === null
        ? "at no set time"
        : `at ${clock(ends)} UTC by itself, in ${durationText(endsInMs)}, whatever the load`,
    ],
  ];
}
