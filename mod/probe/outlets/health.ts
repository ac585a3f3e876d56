/**
 * The verdict as a page for balancers and people, in the shape of a health check response.
 *
 *     {"status":"fail","reason":"check-failed","output":"swap: 1.20 % of swap free, …",
 *      "checks":{"swap":[{"status":"fail","output":"1.20 % of swap free, …"}]}}
 *
 * Ready is 200, everything else 503, which balancers act on at once. Before the sites have answered and when the
 * verdict is too old, the host is not known to be ready, and so the page does not say it is.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-inadarei-api-health-check-06
 */

import type { CheckReport, ProbeVerdict } from "../verdict.ts";
import { PROBE_REASONS, warningChecks } from "../verdict.ts";
import { freshVerdict, type Published } from "./published.ts";

/** Media type of the pages. */
export const HEALTH_TYPE = "application/health+json";

/** A page: its status and its body, which is ASCII, so that its length is its number of bytes. */
export interface HealthPage {
  readonly status: 200 | 503;
  readonly body: string;
}

/** Words of the draft. */
type HealthStatus = "pass" | "warn" | "fail";

/** Whether the host may be sent visitors, with every check. Never throws. */
export function renderHealth(published: Published): HealthPage {
  const verdict = freshVerdict(published);
  if (verdict === undefined) return page("fail", { output: whyNone(published), ageMs: published.ageMs });
  const status = statusOf(verdict);
  return page(status, {
    phase: verdict.phase,
    reason: verdict.reason,
    notes: [PROBE_REASONS[verdict.reason]],
    ...status === "pass" || verdict.text === "" ? {} : { output: verdict.text },
    ageMs: published.ageMs,
    checks: Object.fromEntries(verdict.checks.map((check) => [check.id, [recordOf(check)]])),
  });
}

/** Whether the loop of the agent is on time, whatever it finds. Never throws. */
export function renderLiveness(published: Published): HealthPage {
  if (freshVerdict(published) !== undefined) return page("pass", { ageMs: published.ageMs });
  return page("fail", { output: whyNone(published), ageMs: published.ageMs });
}

function page(status: HealthStatus, rest: Readonly<Record<string, unknown>>): HealthPage {
  return { status: status === "fail" ? 503 : 200, body: `${asciiJson({ status, ...rest })}\n` };
}

function statusOf(verdict: ProbeVerdict): HealthStatus {
  if (verdict.phase !== "in") return "fail";
  return verdict.reason !== "all-well" || warningChecks(verdict.checks).length > 0 ? "warn" : "pass";
}

/** A check that has not come to anything yet has no status, which the draft allows. */
function recordOf({ settled, action, result }: CheckReport): Readonly<Record<string, unknown>> {
  const failing: HealthStatus = action === "drain" ? "fail" : "warn";
  const status: HealthStatus | undefined = settled === "untried"
    ? undefined
    : settled === "ok"
    ? "pass"
    : settled === "warn"
    ? "warn"
    : failing;
  return {
    ...status === undefined ? {} : { status },
    seen: result.state,
    output: result.evidence,
    ...result.state === "unknown" ? {} : { observedValue: result.numbers },
  };
}

function whyNone({ verdict, ageMs }: Published): string {
  return verdict === undefined
    ? "nothing has been looked at yet"
    : `the last look was ${Math.round(ageMs / 1000)} s ago`;
}

/** JSON with everything beyond ASCII escaped. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
