/**
 * Lines of nginx's access log: the status that was answered.
 *
 *     203.0.113.9 - - [29/Nov/2026:19:31:05 +0000] "GET / HTTP/1.1" 502 157 "-" "Mozilla/5.0"
 *
 * @see https://nginx.org/en/docs/http/ngx_http_log_module.html
 */

/** How the lines are written: in nginx's `combined`, or with the status as the n-th field from 1. */
export type AccessFormat =
  | { readonly kind: "combined" }
  /** Fields are parted by blanks; one in quotes or brackets is one field. */
  | { readonly kind: "position"; readonly statusField: number };

/** nginx writes a quote inside a quoted field as `\x22`. The name of a user may hold blanks. */
const COMBINED = /^\S+ - .*? \[[^\]]*\] "[^"]*" ([1-9]\d\d) (?:\d+|-)(?: |$)/;

const FIELD = /"[^"]*"|\[[^\]]*\]|\S+/g;

/** Lines longer than this are not looked into: nginx's own buffer for a request is shorter. */
const LINE_LIMIT = 65_536;

const TURNED_AWAY = 503;

/** The status of one line, 100 to 999; undefined for a line in another format. Never throws. */
export function maybeStatus(line: string, format: AccessFormat): number | undefined {
  if (line.length > LINE_LIMIT) return undefined;
  const text = format.kind === "combined"
    ? COMBINED.exec(line)?.[1]
    : line.match(FIELD)?.[format.statusField - 1]?.replace(/^"([^"]*)"$/, "$1");
  return text !== undefined && /^[1-9]\d\d$/.test(text) ? Number(text) : undefined;
}

/** What some lines of the log come to. */
export interface AccessCounts {
  /** Answers whose status could be read, without those to our own probe. */
  readonly requestCount: number;
  /**
   * Those with a status of 500 to 599 but 503, which is said on purpose: to who asks too often (`limit_req`), or in maintenance. A
   * crawler that is turned away would take one host out after the other. nginx's 499, a visitor who left, is none either.
   */
  readonly errorCount: number;
  /** Lines that are not in the format. */
  readonly unreadableCount: number;
}

/**
 * Counts whole lines. Never throws.
 *
 * @param probeMark What the lines of our own probe hold, as its user agent; empty leaves nothing out
 */
export function countAccess(lines: readonly string[], format: AccessFormat, probeMark: string): AccessCounts {
  let requestCount = 0;
  let errorCount = 0;
  let unreadableCount = 0;
  for (const line of lines) {
    if (line === "" || (probeMark !== "" && line.includes(probeMark))) continue;
    const status = maybeStatus(line, format);
    if (status === undefined) unreadableCount++;
    else requestCount++;
    if (status !== undefined && status >= 500 && status <= 599 && status !== TURNED_AWAY) errorCount++;
  }
  return { requestCount, errorCount, unreadableCount };
}
