/** The head of the page: whose it is, and a warning where what it shows is old. */

import { durationText } from "../../report/duration.ts";
import { type Markup, markup } from "../markup.ts";
import type { PageModel } from "../page_model.ts";
import { clock } from "./text.ts";

/** Whose page it is, of which version, and how old what it shows is. Never throws. */
export function headSection({ host, version, pass, now, pid, started }: PageModel): Markup {
  const age = pass === null ? "no pass yet" : `last pass ${durationText(pass.agoMs)} ago`;
  const agent = pid === null || started === null ? "" : ` \u00b7 pid ${pid} since ${minute(started)}`;
  return markup`
    <header>
      <h1>${host}</h1><span class="brand">loadweir ${version}</span>
      <span class="soft small push">${age} &#xb7; ${clock(now)} UTC${agent}</span>
    </header>
  `;
}

/** A warning that the agent hangs; nothing while it does not. Never throws. */
export function lateSection({ pass }: PageModel): Markup | undefined {
  if (pass === null || !pass.isLate) return undefined;
  return markup`
    <section class="late" role="alert">
      <h2>LATE: the last pass was ${durationText(pass.agoMs)} ago</h2>
      <p>
        The agent answers and does not look: nothing guards this host. What follows is of
        ${clock(pass.ts)} UTC. Look at its log: <code>sudo journalctl -u loadweir</code>.
      </p>
    </section>
  `;
}

/** `2026-11-29T19:31:05Z` as `2026-11-29 19:31`. */
function minute(ts: string): string {
  return ts.slice(0, 16).replace("T", " ");
}
