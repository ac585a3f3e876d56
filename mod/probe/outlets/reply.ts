/**
 * What is answered to a request for the verdict: one short reply, then the connection is closed.
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
  503: "Service Unavailable",
} as const;

type Status = keyof typeof PHRASES;

/** Pages by path. */
const PAGES: ReadonlyMap<string, (published: Published) => HealthPage> = new Map([
  ["/healthz", renderHealth],
  ["/livez", renderLiveness],
]);

/**
 * The whole reply, in ASCII. Never throws.
 *
 * @param request A line that is whole
 */
export function renderReply(
  request: Exclude<RequestLine, { readonly kind: "more" }>,
  published: Published,
): string {
  if (request.kind === "refused") return reply(request.status, "", "GET");
  const page = PAGES.get(request.path)?.(published);
  return reply(page?.status ?? 404, page?.body ?? "", request.method);
}

/** HEAD is told the length of what GET would get. */
function reply(status: Status, body: string, method: "GET" | "HEAD"): string {
  const head = [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    ...body === "" ? [] : [`Content-Type: ${HEALTH_TYPE}`],
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    ...status === 405 ? ["Allow: GET, HEAD"] : [],
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${method === "HEAD" ? "" : body}`;
}
