/**
 * The status page: one document that asks nobody for anything else, made anew for each request.
 *
 * Its policy lets the browser apply the one sheet and run the one script that are named by their hashes, and connect to
 * this agent alone, so that a text that got through as markup all the same could do nothing.
 *
 * @see https://www.w3.org/TR/CSP3/#security-hashes
 */

import type { HttpReply } from "../probe/outlets/reply.ts";
import { markup, own } from "./markup.ts";
import type { PageModel } from "./page_model.ts";
import { REFRESH_S, SCRIPT } from "./page_script.ts";
import { STYLE } from "./page_style.ts";
import { eventsSection } from "./sections/events.ts";
import { headSection, lateSection } from "./sections/head.ts";
import { holdSection } from "./sections/hold.ts";
import { loadSection } from "./sections/load.ts";
import { modeSection } from "./sections/mode.ts";
import { pressureSection } from "./sections/pressure.ts";
import { probeSection } from "./sections/probe.ts";
import { recentSection } from "./sections/recent.ts";
import { tierSection } from "./sections/tier.ts";

/** SHA-256 of the sheet and of the script, in base64; a test says what they have to be after a change. */
export const STYLE_HASH = "aDamcuvrOFvtQO0H+eIZ5ppJOts21tlTUVbiSdKK+ms=";
export const SCRIPT_HASH = "xoKLVFNLGWi9MpOnkj0Ijv55SQ+UzQANLxufyKuXT4k=";

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  `script-src 'sha256-${SCRIPT_HASH}'`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** For both: nobody else may take them in, or guess at what they are. */
const GUARDS = ["X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin"];

/** The page for people, as a reply. Never throws. */
export function pageReply(model: PageModel): HttpReply {
  return {
    status: 200,
    type: "text/html; charset=utf-8",
    body: renderPage(model),
    head: [`Content-Security-Policy: ${POLICY}`, "Referrer-Policy: no-referrer", ...GUARDS],
  };
}

/** The same for programs, as a reply. Never throws. */
export function statusReply(model: PageModel): HttpReply {
  return { status: 200, type: "application/json", body: renderStatusJson(model), head: GUARDS };
}

/** The page for programs: JSON in ASCII, so that its length is its number of bytes. Never throws. */
function renderStatusJson(model: PageModel): string {
  const text = JSON.stringify(model);
  return `${text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}

/** Colour of the icon in the tab of a browser, where there is no light or dark. */
const ICON_COLOURS: Readonly<Record<PageModel["tier"], string>> = {
  normal: "2a9d65",
  spider: "d99a1c",
  max: "e2571e",
  crit: "d3204f",
  unknown: "7b8593",
};

/** The document, in ASCII. Never throws. */
export function renderPage(model: PageModel): string {
  const { tier, host, hold, version } = model;
  const title = `${tier.toUpperCase()}${hold === null ? "" : ", web held"} \u00b7 ${host} \u00b7 loadweir`;
  const icon =
    `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23${
      ICON_COLOURS[tier]
    }'/%3E%3C/svg%3E`;
  return markup`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>${title}</title>
        <link rel="icon" href="${icon}">
        <noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>
        ${own(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <div class="wrap">
          <div id="live" role="status"></div>
          <main id="page" class="tier-${tier}" data-version="${version}">
            ${headSection(model)}
            ${lateSection(model)}
            ${tierSection(model)}
            ${holdSection(model)}
            ${loadSection(model)}
            ${probeSection(model)}
            ${pressureSection(model)}
            ${recentSection(model)}
            ${eventsSection(model)}
            ${modeSection(model)}
            <footer>Times are UTC. For programs: <a href="/status.json">/status.json</a></footer>
          </main>
        </div>
        ${own(`<script>${SCRIPT}</script>`)}
      </body>
    </html>
  `.markup;
}
