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

/** What stands before the request: an address, whoever the visitor says to be, and the time. */
const BEFORE_REQUEST = /^\S+ - /;

/** What stands behind it. */
const BEHIND_REQUEST = /^ ([1-9]\d\d) (?:\d+|-)(?: |$)/;

/** So much of a line holds what stands behind the request. */
const BEHIND_LIMIT = 40;

const FIELD = /\s*("[^"]*"|\[[^\]]*\]|\S+)/y;

/** Lines longer than this are not looked into: nginx's own buffer for a request is shorter. */
const LINE_LIMIT = 65_536;

const TURNED_AWAY = 503;

/** The status of one line, 100 to 999; undefined for a line in another format. Never throws. */
export function maybeStatus(line: string, format: AccessFormat): number | undefined {
  if (line.length > LINE_LIMIT) return undefined;
  const text = format.kind === "combined" ? maybeCombined(line) : maybeField(line, format.statusField);
  return text !== undefined && /^[1-9]\d\d$/.test(text) ? Number(text) : undefined;
}

/**
 * nginx writes a quote inside a field as `\x22`, so that the first two are those of the request. A visitor writes what he likes
 * as his name, thousands of brackets too: no expression may have a choice there, or a line takes seconds.
 */
function maybeCombined(line: string): string | undefined {
  const open = line.indexOf('"');
  const close = line.indexOf('"', open + 1);
  const before = line.slice(0, Math.max(0, open));
  if (close < 0 || !BEFORE_REQUEST.test(before) || !before.includes(" [") || !before.endsWith("] ")) {
    return undefined;
  }
  return BEHIND_REQUEST.exec(line.slice(close + 1, close + BEHIND_LIMIT))?.[1];
}

/** The n-th field of a line, without its quotes. */
function maybeField(line: string, field: number): string | undefined {
  FIELD.lastIndex = 0;
  let found: RegExpExecArray | null = null;
  for (let at = 0; at < field; at++) {
    found = FIELD.exec(line);
    if (found === null) return undefined;
  }
  return found?.[1]?.replace(/^"([^"]*)"$/, "$1");
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
