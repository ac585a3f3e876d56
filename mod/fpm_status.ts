/**
 * The status page of a php-fpm pool in its JSON form, asked for without `full`.
 *
 *     {"pool":"www","process manager":"dynamic","accepted conn":4,"listen queue":0,"idle processes":1,
 *      "active processes":1,"total processes":2,"max children reached":0,"slow requests":0}
 *
 * With `full` it quotes requests as they came, unescaped, and is then no JSON. How many processes there may be
 * is not in it: that is in the pool's configuration.
 *
 * @see https://www.php.net/manual/en/fpm.status.php
 * @see https://github.com/hipages/php-fpm_exporter/issues/24
 */

import { ParseError, quote } from "./errors.ts";
import type { FcgiParams } from "./fastcgi/request.ts";

/** What the page says of a pool. A figure that is not there, or null, is undefined: it differs by version. */
export interface FpmStatus {
  readonly pool: string;
  /** When php-fpm started, in seconds since 1970. */
  readonly startTimeS: number | undefined;
  /** Requests that were taken since then. */
  readonly acceptedCount: number | undefined;
  /** Processes that serve a request; one of them serves this page where it is the pool's own. */
  readonly activeCount: number | undefined;
  readonly idleCount: number | undefined;
  readonly totalCount: number | undefined;
  /** Connections that wait, by php-fpm's own count: always 0 at a unix socket, whatever waits there. */
  readonly listenQueueCount: number | undefined;
  /** How often a process more was wanted than there may be, since the start; never counted with `pm = static`. */
  readonly maxChildrenReachedCount: number | undefined;
  readonly slowRequestCount: number | undefined;
}

/**
 * The request that asks a pool for this page.
 *
 * @param path The pool's `pm.status_path`
 */
export function fpmStatusParams(path: string): FcgiParams {
  return {
    SCRIPT_NAME: path,
    SCRIPT_FILENAME: path,
    REQUEST_METHOD: "GET",
    QUERY_STRING: "json",
    SERVER_PROTOCOL: "HTTP/1.1",
    GATEWAY_INTERFACE: "CGI/1.1",
  };
}

/**
 * Reads a status page.
 *
 * @param text The body
 * @param source Whom was asked, for errors
 * @throws {ParseError} If it is no JSON object with a text `pool`, or if a figure is no whole number, neither
 * as a number nor as a text
 */
export function parseFpmStatus(text: string, source: string): FpmStatus {
  let page: unknown;
  try {
    page = JSON.parse(text);
  } catch {
    throw new ParseError(source, `is ${quote(text)}, expected the status page of a pool as JSON`);
  }
  const members = new Map<string, unknown>(
    typeof page === "object" && page !== null && !Array.isArray(page) ? Object.entries(page) : [],
  );
  const pool = members.get("pool");
  if (typeof pool !== "string") {
    throw new ParseError(source, `is ${quote(text)}, expected a JSON object with the name of a pool`);
  }

  function maybeCount(key: string): number | undefined {
    const member = members.get(key);
    if (member === undefined || member === null) return undefined;
    const figure = typeof member === "string" && /^\d{1,15}$/.test(member) ? Number(member) : member;
    if (typeof figure === "number" && Number.isSafeInteger(figure) && figure >= 0) return figure;
    throw new ParseError(
      source,
      `${quote(key)} is ${quote(JSON.stringify(member))}, expected a whole number`,
    );
  }

  return {
    pool,
    startTimeS: maybeCount("start time"),
    acceptedCount: maybeCount("accepted conn"),
    activeCount: maybeCount("active processes"),
    idleCount: maybeCount("idle processes"),
    totalCount: maybeCount("total processes"),
    listenQueueCount: maybeCount("listen queue"),
    maxChildrenReachedCount: maybeCount("max children reached"),
    slowRequestCount: maybeCount("slow requests"),
  };
}
