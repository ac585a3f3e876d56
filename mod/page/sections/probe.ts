/** Sites and checks of the host. */

import { durationText } from "../../report/duration.ts";
import type { CheckStanding } from "../check_standing.ts";
import { type Markup, markup } from "../markup.ts";
import type { PageCheck, PageModel, PageProbe } from "../page_model.ts";
import { clock } from "./text.ts";

/** A word and the kind that colours it. */
type Word = readonly [word: string, kind: "good" | "warn" | "bad" | "quiet"];

/** The worst first. */
const STANDING_TEXT: Readonly<Record<CheckStanding, Word>> = {
  failed: ["FAILED", "bad"],
  warning: ["warning", "warn"],
  failing: ["bad, not often enough yet", "warn"],
  unknown: ["unknown", "quiet"],
  unproven: ["not proven yet", "quiet"],
  ok: ["ok", "good"],
};

const STANDINGS = Object.keys(STANDING_TEXT) as readonly CheckStanding[];

const PHASE_TEXT: Readonly<Record<PageProbe["phase"], Word>> = {
  starting: ["Not proven yet", "quiet"],
  in: ["IN", "good"],
  // A pause or a person takes it out on purpose.
  drained: ["DRAINED", "warn"],
};

/** Sites and checks; host checks that are well are folded away. Never throws. */
export function probeSection({ probe }: PageModel): Markup {
  if (probe === null) {
    return markup`
      <section>
        <h2>Sites and checks</h2>
        <p class="soft">The probe has not looked yet; it does every few seconds (<code>[probe] tick</code>).</p>
      </section>
    `;
  }
  const { checks } = probe;
  const foremost = checks.filter(({ isSite, standing }) => isSite || standing !== "ok")
    .toSorted((a, b) => STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing));
  const well = checks.filter((check) => !foremost.includes(check));
  return markup`
    <section>
      <h2>Sites and checks</h2>
      ${headline(probe)}
      ${checks.some(({ isSite }) => isSite) ? undefined : noSite()}
      ${foremost.length === 0 ? undefined : checkTable("checks", foremost)}
      ${well.length === 0 ? undefined : folded(well)}
    </section>
  `;
}

function headline({ phase, reason, reasonText, text, sinceMs, since, lookedAgoMs }: PageProbe): Markup {
  const [word, usual] = PHASE_TEXT[phase];
  const kind = reason === "check-failed" ? "bad" : usual;
  const why = text === "" ? reasonText : `${reasonText} (${text})`;
  return markup`
    <p class="headline"><span class="word is-${kind}">${word}</span> for ${durationText(sinceMs)}: ${why}</p>
    <p class="soft small">since ${clock(since)} UTC, looked ${durationText(lookedAgoMs)} ago</p>
  `;
}

function noSite(): Markup {
  return markup`
    <p class="soft">
      No site is probed, so that nothing takes this host out: <code>[probe www.example.org]</code> with
      <code>url</code> and <code>text</code> adds one.
    </p>
  `;
}

function folded(well: readonly PageCheck[]): Markup {
  const count = `${well.length} ${well.length === 1 ? "check" : "checks"}`;
  return markup`
    <details id="well">
      <summary>
        <span class="word is-good">ok</span> ${count} of the host: ${well.map(({ name }) => name).join(", ")}
      </summary>
      ${checkTable("checks-well", well)}
    </details>
  `;
}

function checkTable(id: string, checks: readonly PageCheck[]): Markup {
  return markup`
    <div class="scroll" id="${id}" tabindex="0" role="region" aria-label="Checks">
      <table>
        <thead>
          <tr>
            <th scope="col">check</th>
            <th scope="col">state</th>
            <th scope="col">evidence</th>
            <th scope="col">since</th>
            <th scope="col">if failed</th>
          </tr>
        </thead>
        <tbody>${checks.map(checkRow)}</tbody>
      </table>
    </div>
  `;
}

function checkRow({ name, isSite, standing, evidence, since, sinceMs, action }: PageCheck): Markup {
  const [word, kind] = STANDING_TEXT[standing];
  const times = since === null || sinceMs === null ? "?" : `${clock(since)}, ${durationText(sinceMs)}`;
  return markup`
    <tr>
      <td class="name">${isSite ? name.replace(/^site:/, "site ") : name}</td>
      <td class="word is-${kind}">${word}</td>
      <td class="evidence">${evidence === "" ? "nothing to add" : evidence}</td>
      <td class="nowrap">${times}</td>
      <td>${action}</td>
    </tr>
  `;
}
