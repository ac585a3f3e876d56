/** The judge of a site: what one look at it says. */

import { quote } from "../errors.ts";
import { bad, type CheckNumbers, type CheckResult, fine, unknown } from "./check.ts";
import { endpointText } from "../ip_address.ts";
import type { SiteTarget } from "./site.ts";
import { isSuccess, SITE_BODY_LIMIT_BYTES, type SiteReply } from "./site_reader.ts";

/** How far a look had come. */
export type SiteStage = "connect" | "tls" | "reply";

/** How a look ended. */
export type SiteEnd =
  | { readonly kind: "replied"; readonly reply: SiteReply }
  /** The site's fault: nobody listens, it hung up, what it says is no HTTP. */
  | { readonly kind: "fault"; readonly stage: SiteStage; readonly why: string }
  /** The deadline came first. */
  | { readonly kind: "late"; readonly stage: SiteStage; readonly progress: string }
  /** Nothing can be said of the site: this program could not look. */
  | { readonly kind: "untold"; readonly why: string };

/** How long it took from the beginning of the look, in milliseconds. */
export interface SiteTimes {
  readonly connectMs: number | undefined;
  readonly firstByteMs: number | undefined;
  readonly totalMs: number;
}

/** What the adapter saw. */
export interface SiteSighting {
  readonly end: SiteEnd;
  readonly times: SiteTimes;
  /** `not-seen` where there is none, or the look did not come so far. */
  readonly certificate: SiteCertificate;
}

/** The certificate of a site. */
export type SiteCertificate =
  | { readonly kind: "not-seen" }
  | { readonly kind: "trusted" }
  | { readonly kind: "refused"; readonly problem: string };

/** Something that visitors may notice, and that is no reason to take the host out: it is told apart. */
export interface SiteFinding {
  readonly about: "certificate" | "time";
  readonly text: string;
}

/** What one look says. */
export interface SiteLook {
  readonly result: CheckResult;
  readonly findings: readonly SiteFinding[];
  readonly sighting: SiteSighting;
}

/** A reply that takes longer is told of. */
export const SLOW_MS = 1_000;

/**
 * A look that took this much longer than it was given was not late by the site's fault: the timer that ends it
 * was.
 */
const LATE_AGENT_RATIO = 1.5;

/**
 * Judges a look. Slowness and the certificate are findings of their own, not warnings of the check: a warning is
 * no good look, so that a slow site would never show that a host that is out may return. Never throws.
 */
export function judgeSite(target: SiteTarget, sighting: SiteSighting): SiteLook {
  const { certificate, times } = sighting;
  const result = resultOf(target, sighting);
  const findings: SiteFinding[] = [];
  if (certificate.kind === "refused") findings.push({ about: "certificate", text: certificate.problem });
  if (result.state === "ok" && times.totalMs > SLOW_MS) {
    findings.push({ about: "time", text: `it took ${times.totalMs} ms, over ${SLOW_MS} ms` });
  }
  return { result, findings, sighting };
}

function resultOf(target: SiteTarget, { end, times }: SiteSighting): CheckResult {
  if (end.kind === "untold") return unknown(end.why);
  const { deadlineMs } = target;
  const result = judgeEnd(target, end, times);
  if (result.state === "bad" && times.totalMs > LATE_AGENT_RATIO * deadlineMs) {
    return unknown(
      `the agent itself was late: the look took ${times.totalMs} ms of the ${deadlineMs} ms it was given`,
    );
  }
  return result;
}

function judgeEnd(
  target: SiteTarget,
  end: Exclude<SiteEnd, { readonly kind: "untold" }>,
  times: SiteTimes,
): CheckResult {
  const where = endpointText(target.address, target.port);
  switch (end.kind) {
    case "replied":
      return judgeReply(target, end.reply, numbersOf(times, end.reply));
    case "fault":
      return bad("drain", `${where}: ${end.why}`, numbersOf(times));
    case "late":
      return bad(
        "drain",
        `${where}: ${LATE[end.stage]} within ${target.deadlineMs} ms${
          end.stage === "reply" ? `, ${end.progress} so far` : ""
        }`,
        numbersOf(times),
      );
  }
}

const LATE: Readonly<Record<SiteStage, string>> = {
  connect: "no connection",
  tls: "connected, and no TLS",
  reply: "connected, and not answered",
};

function judgeReply(
  { expectedText }: SiteTarget,
  { status, location, body, bodyBytes }: SiteReply,
  numbers: CheckNumbers,
): CheckResult {
  if (!isSuccess(status)) {
    const where = location === undefined ? "" : ` to ${quote(location)}, redirects are not followed`;
    return bad("drain", `status ${status}${where}, expected 200 to 299`, numbers);
  }
  const text = quote(expectedText);
  switch (body.kind) {
    case "found":
      return fine(`${status} with ${text}`, numbers);
    case "missing":
      return bad(
        "drain",
        body.isAll
          ? `${status} without ${text} in its ${bodyBytes} bytes`
          : `${status} without ${text} in the first ${SITE_BODY_LIMIT_BYTES} bytes`,
        numbers,
      );
    case "packed":
      return unknown(`${status} with a body packed as ${quote(body.encoding)}, which was not asked for`);
    case "not-read":
      return unknown(`${status} with a body that was not read`);
  }
}

function numbersOf({ connectMs, firstByteMs, totalMs }: SiteTimes, reply?: SiteReply): CheckNumbers {
  return {
    ...connectMs === undefined ? {} : { connectMs },
    ...firstByteMs === undefined ? {} : { firstByteMs },
    totalMs,
    ...reply === undefined ? {} : { status: reply.status, bodyBytes: reply.bodyBytes },
  };
}
