/**
 * What a CGI program says: a block of headers, an empty line, a body. The status is a header too.
 *
 *     Status: 404 Not Found
 *     Content-type: text/html; charset=UTF-8
 *
 *     File not found.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3875#section-6
 */

import { ParseError, quote } from "../errors.ts";
import { withoutOuterBlanks } from "../http/blanks.ts";

/** A response. */
export interface CgiResponse {
  /** 100 to 599; 200 where no header says one. */
  readonly status: number;
  /** By name in lower case; of a name that comes twice, the last. Each byte is one character. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Headers are short; an end of theirs that comes later is not looked for. */
const HEADERS_LIMIT_BYTES = 8_192;

const STATUS = /^([1-5]\d\d)(?: .*)?$/;

/**
 * Reads a response.
 *
 * @param source Whose it is, for errors
 * @throws {ParseError} If there is no empty line after the headers, if a line there is no header, or if the
 * status is no number from 100 to 599
 */
export function parseCgiResponse(stdout: Uint8Array, source: string): CgiResponse {
  const head = String.fromCharCode(...stdout.subarray(0, HEADERS_LIMIT_BYTES));
  const end = /\r?\n\r?\n/.exec(head);
  if (end === null) {
    throw new ParseError(source, `is ${quote(head)}, expected headers and an empty line`);
  }
  const headers = new Map<string, string>();
  for (const [index, line] of head.slice(0, end.index).split(/\r?\n/).entries()) {
    const [, name, value] = /^([!-9;-~]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new ParseError(
        source,
        `is ${quote(line)}, expected a header like "Content-type: text/plain"`,
        index + 1,
      );
    }
    headers.set(name.toLowerCase(), withoutOuterBlanks(value));
  }
  const status = STATUS.exec(headers.get("status") ?? "200")?.[1];
  if (status === undefined) {
    throw new ParseError(source, `Status is ${quote(headers.get("status") ?? "")}, expected 100 to 599`);
  }
  return { status: Number(status), headers, body: stdout.slice(end.index + end[0].length) };
}
