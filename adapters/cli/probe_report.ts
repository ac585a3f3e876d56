/** How a look at a site is shown. */

import { green, red, setColorEnabled, yellow } from "@std/fmt/colors";
import type { SiteTarget } from "../../mod/probe/site.ts";
import type { SiteLook } from "../../mod/probe/site_look.ts";

const WORDS = { ok: "up", bad: "down", unknown: "unknown" } as const;

/** `up: 200 with "Welcome"; connect 0 ms, first byte 2 ms, total 3 ms; certificate: it has expired` */
export function renderLook(look: SiteLook): string {
  return `${WORDS[look.result.state]}: ${textOf(look)}`;
}

/** A line of `--watch`: the time, what it is, and what was seen. */
export function renderWatchLine(look: SiteLook, wallMs: number, isColoured: boolean): string {
  const word = WORDS[look.result.state].padEnd(7);
  return `${new Date(wallMs).toISOString()} ${isColoured ? coloured(look, word) : word} ${textOf(look)}`;
}

/** One line of JSON; null is what is not known. */
export function renderLookJson(target: SiteTarget, look: SiteLook, wallMs?: number): string {
  const { result, findings, sighting: { end, times, certificate } } = look;
  const reply = end.kind === "replied" ? end.reply : undefined;
  return JSON.stringify({
    ...wallMs === undefined ? {} : { at: new Date(wallMs).toISOString() },
    url: target.url,
    address: target.address,
    verdict: WORDS[result.state],
    evidence: result.evidence,
    status: reply?.status ?? null,
    bodyBytes: reply?.bodyBytes ?? null,
    connectMs: times.connectMs ?? null,
    firstByteMs: times.firstByteMs ?? null,
    totalMs: times.totalMs,
    certificate: certificate.kind === "not-seen" ? null : {
      trusted: certificate.kind === "trusted",
      problem: certificate.kind === "refused" ? certificate.problem : null,
    },
    findings,
  });
}

function textOf({ result, findings, sighting: { times } }: SiteLook): string {
  const { connectMs, firstByteMs, totalMs } = times;
  const spent = [
    ...connectMs === undefined ? [] : [`connect ${connectMs} ms`],
    ...firstByteMs === undefined ? [] : [`first byte ${firstByteMs} ms`],
    `total ${totalMs} ms`,
  ].join(", ");
  return [result.evidence, spent, ...findings.map(({ about, text }) => `${about}: ${text}`)].join("; ");
}

function coloured({ result, findings }: SiteLook, word: string): string {
  setColorEnabled(true);
  switch (result.state) {
    case "ok":
      return findings.length === 0 ? green(word) : yellow(word);
    case "bad":
      return red(word);
    case "unknown":
      return yellow(word);
  }
}
