/** The sections of the status page, each from its part of the model. An empty one says why it is empty. */

import { durationText } from "../report/duration.ts";
import type { TableText } from "../report/pressure_table.ts";
import { chartText, renderChart } from "./chart.ts";
import type { CheckStanding } from "./check_standing.ts";
import { html, type Markup } from "./markup.ts";
import type {
  PageCheck,
  PageComponent,
  PageEvaluation,
  PageEvent,
  PageHold,
  PageModel,
  PagePressure,
  PageProbe,
} from "./page_model.ts";

/** Whose page it is, of which version, and how old what it shows is. */
export function headSection({ host, version, pass, now, pid, started }: PageModel): Markup {
  const age = pass === null ? "no pass yet" : `last pass ${durationText(pass.agoMs)} ago`;
  return html`
    <header>
      <h1>${host}</h1><span class="brand">loadweir ${version}</span><span class="soft small push"
      >${age} &#xb7; ${clock(now)} UTC${pid === null || started === null
        ? ""
        : ` \u00b7 pid ${pid} since ${minute(started)}`}</span>
    </header>
  `;
}

/** A warning that the agent hangs; nothing while it does not. */
export function lateSection({ pass }: PageModel): Markup {
  if (pass === null || !pass.isLate) {
    return html`

    `;
  }
  return html`
    <section class="late" role="alert">
      <h2>LATE: the last pass was ${durationText(pass.agoMs)} ago</h2>
      <p>
        The agent answers and does not look: nothing guards this host. What follows is of ${clock(
          pass.ts,
        )} UTC. Look at
        its log: <code>sudo journalctl -u loadweir</code>.
      </p>
    </section>
  `;
}

/** The tier, the loads, and what would change it. */
export function tierSection(model: PageModel): Markup {
  const { tier, posture, outlook, cpuCount } = model;
  return html`
    <section class="hero" aria-label="Tier now">
      <div>
        <h2>Tier now</h2>
        <p class="tier">${tier.toUpperCase()}</p>
        <p class="posture">${sentence(unbroken(posture.replace(/^[A-Z]+, /, "")))}</p>
        <ul class="outlook" aria-label="What would change it">${outlook.map((line) => {
          const [key, rest] = splitAt(unbroken(line), ": ");
          return rest === undefined
            ? html`
              <li>${line}</li>
            `
            : html`
              <li><span class="key">${sentence(key)}:</span> ${rest}</li>
            `;
        })}</ul>
      </div>
      <dl class="loads">${loadStat("1 minute", model.load1Percent, cpuCount)}${loadStat(
        "5 minutes",
        model.load5Percent,
        cpuCount,
      )}</dl>
    </section>
  `;
}

function loadStat(name: string, percent: number | null, cpuCount: number | null): Markup {
  const load = percent === null || cpuCount === null
    ? "not read"
    : `load ${(percent * cpuCount / 100).toFixed(2)} on ${cpuCount} ${cpuCount === 1 ? "CPU" : "CPUs"}`;
  return html`
    <div>
      <dt>${name}</dt>
      <dd>${percent === null ? "?" : percent.toFixed(1)}<i> %</i><small>${load}</small></dd>
    </div>
  `;
}

/** What is held: a banner for a pause of the web, one line where nothing is. */
export function holdSection(
  { pass, hold, crawlersBlocked, markers, futileAtPercent, probe }: PageModel,
): Markup {
  if (pass === null) {
    return html`
      <section class="calm" aria-label="What is held">
        <p class="soft">No pass yet: what is held is not known.</p>
      </section>
    `;
  }
  const rest = [
    crawlersBlocked ? "crawlers are blocked" : "crawlers are served",
    ...probe === null ? [] : [OUTLET_TEXT[probe.phase]],
    ...markers.length === 0 ? [] : [`markers ${markers.join(", ")}`],
    ...futileAtPercent === null
      ? []
      : [`a pause at ${futileAtPercent} % did not help, and is not repeated for now`],
  ];
  if (hold === null) {
    const isAllGivenBack = !crawlersBlocked && probe?.phase !== "drained";
    return html`
      <section class="calm" aria-label="What is held">
        <ul>
          <li><b>${isAllGivenBack ? "Nothing is held" : "The web is not paused"}</b></li>${rest.map((text) =>
            html`
              <li>${text}</li>
            `
          )}
        </ul>
      </section>
    `;
  }
  return html`
    <section class="hold" aria-label="What is held">
      <h2>HOLD: ${hold.headline}</h2>
      <dl class="facts">
        ${holdFacts(hold).map(([name, text]) =>
          html`
            <dt>${name}</dt><dd>${text}</dd>
          `
        )}<dt>Also</dt>
        <dd>${rest.join("; ")}</dd>
      </dl>
    </section>
  `;
}

const OUTLET_TEXT: Readonly<Record<PageProbe["phase"], string>> = {
  starting: "host not proven yet",
  in: "host not drained",
  drained: "host drained: balancers are told to send nobody",
};

function holdFacts(
  { since, text, services, waitsFor, ends, endsInMs }: PageHold,
): readonly (readonly [string, string])[] {
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

/** The load of the last hour. */
export function chartSection(model: PageModel): Markup {
  const { history, thresholds, mode } = model;
  const isEmpty = history.loads.every(({ load1Percent, load5Percent }) =>
    load1Percent === null && load5Percent === null
  );
  if (isEmpty) {
    return html`
      <section>
        <h2>Last hour</h2>
        <p class="soft">
          No load has been read yet: the chart begins with the first pass, ${durationText(
            mode.intervalMs,
          )} after the start (<code
          >[ladder] interval</code>).
        </p>
      </section>
    `;
  }
  const heldWord = history.loads.some(({ isHeld }) => isHeld)
    ? html`
      <span><svg width="22" height="12" aria-hidden="true">
        <rect class="held" width="22" height="12" />
        <rect fill="url(#hatch)" width="22" height="12" />
      </svg>web held, hatched</span>
  `
    : html`

    `;
const off = thresholds.filter(({ name }) => name !== "resume").map(({ name, percent }) =>
  `${name} ${percent} %`
);
return html`
  <section>
    <h2>Last hour, percent of the CPUs</h2>
    <p class="soft small">${chartText(model)}</p>${renderChart(model)}<p class="legend">
      <span><svg width="22" height="8" aria-hidden="true"><path class="load1" d="M1 4H21" /></svg>load 1m,
        solid</span><span><svg width="22" height="8" aria-hidden="true">
          <path class="load5" d="M1 4H21" />
        </svg>load 5m, dashed</span>${heldWord}<span>thresholds ${off.join(", ")}</span>
      </p>
    </section>
  `;
}

const STANDING_TEXT: Readonly<Record<CheckStanding, readonly [word: string, kind: string]>> = {
  failed: ["FAILED", "bad"],
  warning: ["warning", "warn"],
  failing: ["bad, not often enough yet", "warn"],
  unknown: ["unknown", "quiet"],
  unproven: ["not proven yet", "quiet"],
  ok: ["ok", "good"],
};

const STANDINGS = Object.keys(STANDING_TEXT) as readonly CheckStanding[];

/** Sites and checks; host checks that are well are folded away. */
export function probeSection({ probe }: PageModel): Markup {
  if (probe === null) {
    return html`
      <section>
        <h2>Sites and checks</h2>
        <p class="soft">The probe has not looked yet; it does every few seconds (<code>[probe] tick</code>).</p>
      </section>
    `;
  }
  const sites = probe.checks.filter(({ isSite }) => isSite);
  const noSite = sites.length > 0
    ? html`

    `
    : html`
      <p class="soft">
        No site is probed, so that nothing takes this host out: <code>[probe www.example.org]</code> with <code
        >url</code> and <code>text</code> adds one.
      </p>
    `;
  const foremost = probe.checks.filter(({ isSite, standing }) => isSite || standing !== "ok")
    .toSorted((a, b) => STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing));
  const well = probe.checks.filter((check) => !foremost.includes(check));
  return html`
    <section><h2>Sites and checks</h2>${probeHeadline(probe)}${noSite}${foremost.length === 0
      ? html`

      `
      : checkTable("checks", foremost)}${well.length === 0
      ? html`

      `
      : html`
        <details id="well">
          <summary>
            <span class="word is-good">ok</span> ${well.length} ${well.length === 1
              ? "check"
              : "checks"} of the host: ${well.map(({ name }) => name).join(", ")}
          </summary>${checkTable("checks-well", well)}
        </details>
      `}</section>
  `;
}

function probeHeadline(
  { phase, reason, reasonText, text, sinceMs, since, lookedAgoMs }: PageProbe,
): Markup {
  const [word, usual] = PHASE_TEXT[phase];
  const kind = reason === "check-failed" ? "bad" : usual;
  const why = text === "" ? reasonText : `${reasonText} (${text})`;
  return html`
    <p class="headline"><span class="word is-${kind}">${word}</span> for ${durationText(
      sinceMs,
    )}: ${why}</p><p
      class="soft small"
    >
      since ${clock(since)} UTC, looked ${durationText(lookedAgoMs)} ago
    </p>
  `;
}

const PHASE_TEXT: Readonly<Record<PageProbe["phase"], readonly [word: string, kind: string]>> = {
  starting: ["Not proven yet", "quiet"],
  in: ["IN", "good"],
  // A pause or a person takes it out on purpose.
  drained: ["DRAINED", "warn"],
};

function checkTable(id: string, checks: readonly PageCheck[]): Markup {
  return html`
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
        <tbody>${checks.map(({ name, isSite, standing, evidence, since, sinceMs, action }) => {
          const [word, kind] = STANDING_TEXT[standing];
          return html`
            <tr>
              <td class="name">${isSite ? name.replace(/^site:/, "site ") : name}</td>
              <td class="word is-${kind}">${word}</td>
              <td class="evidence">${evidence === "" ? "nothing to add" : evidence}</td>
              <td class="nowrap">${since === null || sinceMs === null
                ? "?"
                : `${clock(since)}, ${durationText(sinceMs)}`}</td>
              <td>${action}</td>
            </tr>
          `;
        })}</tbody>
      </table>
    </div>
  `;
}

/** Which tier is the bottleneck. */
export function pressureSection({ pressure, isPressureWatched }: PageModel): Markup {
  if (pressure === null) {
    return html`
      <section>
        <h2>Pressure</h2>
        <p class="soft">${isPressureWatched
          ? html`
            Nothing has been evaluated yet: that takes five seconds.
          `
          : html`
            Nothing is watched: <code>[tier] template</code>, <code>[instance:NAME]</code> and <code>[app:NAME]</code> say
            which instances of the web tier and which applications there are.
          `}</p>
      </section>
    `;
  }
  const { found, advice, action, because, tier, mode, host, instances, apps, agoMs, components, score } =
    pressure;
  return html`
    <section>
      <h2>Pressure</h2>
      <p class="headline"><b>${pressure.class}</b></p>${found.map((text) =>
        html`
          <p>${text}</p>
        `
      )}${advice === null
        ? html`

        `
        : html`
          <p><b>Advice:</b> ${advice}</p>
        `}<p>
        <b>Action:</b> ${action}: ${because}
      </p>
      <dl class="parts">${[score, ...components].map((part) => componentRow(part, pressure))}</dl>
      <p class="soft small">
        saturated above ${pressure.scaleOutAbove}, idle below ${pressure
          .scaleInBelow}; ${tier}, mode ${mode}; evaluated ${durationText(agoMs)}
        ago
      </p>${figureTable("instances", "Instances", instances)}${figureTable(
        "apps",
        "Applications",
        apps,
      )}<p class="soft small">${host}</p>
    </section>
  `;
}

function componentRow({ name, low, high, isKnown }: PageComponent, { scaleOutAbove }: PagePressure): Markup {
  const kind = name === "score" ? "total" : "";
  const text = isKnown ? low.toFixed(2) : `${low.toFixed(2)} to ${high.toFixed(2)}, unknown`;
  const percent = (ratio: number): string => `${Math.round(Math.min(1, Math.max(0, ratio)) * 1_000) / 10}%`;
  return html`
    <dt class="${kind}">${name}</dt><dd>
      <svg class="bar" width="100%" height="10" aria-hidden="true">
        <rect class="track" width="100%" height="10" rx="3" />
        <rect class="maybe" width="${percent(high)}" height="10" rx="3" />
        <rect class="value" width="${percent(low)}" height="10" rx="3" />
        <line class="at" x1="${percent(scaleOutAbove)}" x2="${percent(scaleOutAbove)}" y1="0" y2="10" />
      </svg>
    </dd><dd class="of ${kind}">${text}</dd>
  `;
}

function figureTable(id: string, name: string, { head, rows }: TableText): Markup {
  if (rows.length === 0) {
    return html`
      <p class="soft small">No ${name.toLowerCase()} are configured: <code>${id === "apps"
        ? "[app:NAME]"
        : "[tier] template or [instance:NAME]"}</code>.</p>
    `;
  }
  const isText = (at: number): boolean => at < 2;
  return html`
    <div class="scroll" id="${id}" tabindex="0" role="region" aria-label="${name}">
      <table>
        <thead><tr>${head.map((text, at) =>
          html`
            <th scope="col" class="${isText(at) ? "" : "number"}">${text}</th>
          `
        )}</tr></thead>
        <tbody>${rows.map((cells) =>
          html`
            <tr>${cells.map((text, at) =>
              html`
                <td class="${at === 0 ? "name" : isText(at) ? "nowrap" : "number"}">${text}</td>
              `
            )}</tr>
          `
        )}</tbody>
      </table>
    </div>
  `;
}

/** The last evaluations, each with its evidence to be opened. */
export function recentSection({ recent }: PageModel): Markup {
  if (recent.length === 0) {
    return html`
      <section>
        <h2>Last evaluations</h2>
        <p class="soft">None yet: the first comes with the first pass.</p>
      </section>
    `;
  }
  return html`
    <section>
      <h2>Last evaluations, newest first</h2>
      <div class="events">${recent.map(evaluationRow)}</div>
    </section>
  `;
}

function evaluationRow(
  { about, ts, since, count, found, inputs, rule, margin, result }: PageEvaluation,
): Markup {
  const times = count === 1 ? "" : `, ${count} times since ${clock(since)}`;
  const facts: readonly (readonly [string, string])[] = [
    ["Inputs", inputs],
    ["Rule", rule],
    ["Margin", margin],
    ["Result", result],
  ];
  return html`
    <details id="${about}-${since}">
      <summary>
        <span>${clock(ts)}</span><span class="soft">${about}</span><span class="what"><b>${found}</b>:
          ${actionOf(result)}<span class="soft">${times}</span></span>
        </summary>
        <dl class="facts">${facts.map(([name, text]) =>
          html`
            <dt>${name}</dt><dd>${text}</dd>
          `
        )}</dl>
      </details>
    `;
  }

  /** A result without the code of its reason, which stands in the evidence below. */
  function actionOf(result: string): string {
    return result.replace(/ \([\w-]+\)$/, "").replace(/^none: /, "");
  }

  /** What was done, and what went wrong. */
  export function eventsSection({ actions, errors }: PageModel): Markup {
    return html`
      <div class="two">
        <section><h2>Last actions</h2>${eventList(
          actions,
          "Nothing has been done since this agent started.",
        )}</section>
        <section><h2>Last errors</h2>${eventList(
          errors,
          "Nothing has gone wrong since this agent started.",
        )}</section>
      </div>
    `;
  }

  function eventList(events: readonly PageEvent[], whenEmpty: string): Markup {
    if (events.length === 0) {
      return html`
        <p class="soft">${whenEmpty}</p>
      `;
    }
    return html`
      <ul class="log">${events.map(({ ts, text }) =>
        html`
          <li><span class="soft">${ts.replace("T", " ").replace("Z", "")}</span><span>${text}</span></li>
        `
      )}</ul>
    `;
  }

  /** By what is decided here. */
  export function modeSection({ thresholds, mode }: PageModel): Markup {
    const facts: readonly (readonly [string, string])[] = [
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
      [
        "Longest hold",
        mode.maxHoldMs === 0
          ? "without end"
          : `${durationText(mode.maxHoldMs)}, then ${
            mode.onMaxHold === "resume" ? "the web is given back" : "an alert"
          }`,
      ],
      [
        "Second witness",
        mode.witness === "require" ? "must confirm MAX and CRIT" : "is heard, and decides nothing",
      ],
      ["Figures from", mode.source],
    ];
    return html`
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
            <tbody>${thresholds.map(({ name, percent, load, effect }) =>
              html`
                <tr>
                  <td class="name">${name}</td>
                  <td class="number">${name === "resume" ? "below" : "above"} ${percent} %</td>
                  <td class="number">${load ?? "?"}</td>
                  <td class="evidence">${effect}</td>
                </tr>
              `
            )}</tbody>
          </table>
        </div>
        <dl class="facts mode">${facts.map(([name, text]) =>
          html`
            <dt>${name}</dt><dd>${text}</dd>
          `
        )}</dl>
      </section>
    `;
  }

  function secondsText(ms: number): string {
    return ms % 1_000 === 0 ? durationText(ms) : `${ms} ms`;
  }

  /** `2026-11-29T19:31:05Z` as `19:31:05`. */
  function clock(ts: string): string {
    return ts.slice(11, 19);
  }

  /** `2026-11-29T19:31:05Z` as `2026-11-29 19:31`. */
  function minute(ts: string): string {
    return ts.slice(0, 16).replace("T", " ");
  }

  /** Figures that no line ends in. */
  function unbroken(text: string): string {
    return text.replace(/(\d) %/g, "$1\u00a0%");
  }

  function sentence(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  function splitAt(text: string, mark: string): readonly [string, string | undefined] {
    const at = text.indexOf(mark);
    return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
  }
