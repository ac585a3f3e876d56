/** Whose fault it is that a connection failed: the site's, or nobody's that can be told. */

import { messageOf } from "../../mod/errors.ts";
import type { SiteEnd, SiteStage } from "../../mod/probe/site_look.ts";

/** What a site does, by the kernel's code. Every other code, as of too many open files, is a fault of our own. */
const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused, nobody listens there",
  ECONNRESET: "connection reset",
  ECONNABORTED: "connection reset",
  EPIPE: "connection closed while it was asked",
  ETIMEDOUT: "connection timed out",
};

/** How a look ends that failed at a stage. Never throws. */
export function endOfError(error: unknown, stage: SiteStage): SiteEnd {
  const code = codeOf(error);
  const fault = code === undefined ? undefined : FAULTS[code];
  if (fault !== undefined) return { kind: "fault", stage, why: fault };
  // Without a code it comes from TLS itself, or from Node, which has no code for what a handshake fails with.
  const isOfTls = code === undefined || code === "UNKNOWN";
  if (stage === "connect" || !isOfTls || error instanceof Deno.errors.NotCapable) {
    return { kind: "untold", why: `cannot look: ${messageOf(error)}` };
  }
  return { kind: "fault", stage, why: stage === "tls" ? `no TLS: ${messageOf(error)}` : messageOf(error) };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
