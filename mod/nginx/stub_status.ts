/**
 * The page of nginx's `stub_status`, in plain text.
 *
 *     Active connections: 291
 *     server accepts handled requests
 *      16630948 16630948 31070465
 *     Reading: 6 Writing: 179 Waiting: 106
 *
 * @see https://nginx.org/en/docs/http/ngx_http_stub_status_module.html
 */

import { ParseError, quote } from "../errors.ts";

/** What the page says. Totals count from the start of the master; gauges leak upwards when a worker is killed. */
export interface StubStatus {
  /** Open connections of clients, the waiting ones included. */
  readonly activeCount: number;
  readonly acceptsTotal: number;
  /** Less than accepts where a limit was reached. */
  readonly handledTotal: number;
  readonly requestsTotal: number;
  /** Connections whose request is being read. */
  readonly readingCount: number;
  /** Connections that are being answered, the one of this page included. */
  readonly writingCount: number;
  /** Connections that wait for another request. */
  readonly waitingCount: number;
}

/** What the page begins with. */
export const STUB_STATUS_START = "Active connections:";

// Each line ends with a blank, but for the headings.
const PAGE =
  /^Active connections: (\d{1,15}) ?\r?\nserver accepts handled requests ?\r?\n (\d{1,15}) (\d{1,15}) (\d{1,15}) ?\r?\nReading: (\d{1,15}) Writing: (\d{1,15}) Waiting: (\d{1,15}) ?\r?\n$/;

/**
 * Reads the page.
 *
 * @param text The body
 * @param source Where the text is from, for errors
 * @throws {ParseError} If it is anything but the whole page
 */
export function parseStubStatus(text: string, source: string): StubStatus {
  const match = PAGE.exec(text);
  if (match === null) {
    throw new ParseError(source, `is ${quote(text)}, expected the four lines of nginx's stub_status`);
  }
  const [activeCount = 0, acceptsTotal = 0, handledTotal = 0, requestsTotal = 0, ...states] = match.slice(1)
    .map(Number);
  const [readingCount = 0, writingCount = 0, waitingCount = 0] = states;
  return { activeCount, acceptsTotal, handledTotal, requestsTotal, readingCount, writingCount, waitingCount };
}
