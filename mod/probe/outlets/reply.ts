/**
 * What is answered to a request for a page: one short reply, then the connection is closed.
 *
 *     HTTP/1.1 503 Service Unavailable
 *     Content-Type: application/health+json
 *     Cache-Control: no-store
 */

import { HEALTH_TYPE, type HealthPage, renderHealth, renderLiveness } from "./health.ts";
import type { Published } from "./published.ts";
import type { RequestLine } from "./request_line.ts";

const PHRASES = {
  200: "OK",
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  414: "URI Too Long",
  421: "Misdirected Request",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

type Status = keyof typeof PHRASES;

/** A page as it is now. */
export interface HttpReply {
  readonly status: Status;
  /** Media type of the body. */
  readonly type: string;
  /** ASCII, so that its length is its number of bytes. */
  readonly body: string;
  /** Further lines of the head, without their ends. */
  readonly head?: readonly string[];
}

/** Who asks. */
export interface HttpPeer {
  /** From this host, over its loopback addresses. */
  readonly isLoopback: boolean;
  /**
   * It calls this host by an address, by `localhost` or by nothing, and not by a name that another site may have. Known for
   * pages that read the host alone, and false elsewhere.
   */
  readonly usesOwnName: boolean;
}

/** A page. */
export interface HttpPage {
  /**
   * Makes it anew for every request, from what is known already. Undefined is no page for this peer, which is told that there
   * is none.
   */
  readonly reply: (peer: HttpPeer) => HttpReply | undefined;
  /** Whether the header `Host` is waited for. Pages for balancers answer to the first line. */
  readonly readsHost: boolean;
}

/** Pages by path. */
export type HttpPages = ReadonlyMap<string, HttpPage>;

/** The pages for balancers. */
export function healthPages(published: () => Published): HttpPages {
  const pageOf = (render: (now: Published) => HealthPage): HttpPage => ({
    reply: () => ({ ...render(published()), type: HEALTH_TYPE }),
    readsHost: false,
  });
  return new Map([["/healthz", pageOf(renderHealth)], ["/livez", pageOf(renderLiveness)]]);
}

/**
 * The whole reply, in ASCII.
 *
 * @param request A line that is whole
 * @param peer Who sent it
 * @throws What a page throws
 */
export function renderReply(
  request: Exclude<RequestLine, { readonly kind: "more" }>,
  pages: HttpPages,
  peer: HttpPeer,
): string {
  if (request.kind === "refused") return render(bare(request.status), "GET");
  return render(pages.get(request.path)?.reply(peer) ?? bare(404), request.method);
}

/** The reply where a page could not be made. */
export const FAILED_REPLY = render(bare(500), "GET");

/** A reply that is a status and nothing else. */
function bare(status: Status): HttpReply {
  return { status, type: "", body: "" };
}

/** HEAD is told the length of what GET would get. */
function render({ status, type, body, head: more = [] }: HttpReply, method: "GET" | "HEAD"): string {
  const head = [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    ...body === "" ? [] : [`Content-Type: ${type}`],
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    ...more,
    ...status === 405 ? ["Allow: GET, HEAD"] : [],
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${method === "HEAD" ? "" : body}`;
}
