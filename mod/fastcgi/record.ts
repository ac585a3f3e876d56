/**
 * Records of FastCGI, which php-fpm is asked with over its own socket.
 *
 *     01 06 0001 001f 01 00 …     version 1, STDOUT, request 1, 31 bytes, then 1 byte of padding
 *
 * Own code, because the packages that do this bring a connection, buffers without an end and questions that
 * php-fpm is better not asked. One request and its reply are this file and its two neighbours.
 *
 * @see https://fastcgi-archives.github.io/FastCGI_Specification.html
 */

import { ParseError } from "../errors.ts";

/** Kinds of record that a client of one request meets. */
export const RECORD = {
  beginRequest: 1,
  endRequest: 3,
  params: 4,
  stdin: 5,
  stdout: 6,
  stderr: 7,
} as const;

/** The one request of a connection. 0 is for the connection itself. */
export const REQUEST_ID = 1;

const VERSION = 1;
const HEADER_BYTES = 8;

/** What the length field can say. */
const CONTENT_LIMIT_BYTES = 0xffff;

/** One record, without its padding. */
export interface FcgiRecord {
  /** A number of {@linkcode RECORD}, or one that is not known here. */
  readonly type: number;
  readonly requestId: number;
  readonly content: Uint8Array;
}

/**
 * A record as bytes, of request 1 and without padding.
 *
 * @throws {RangeError} If the content is longer than 65535 bytes
 */
export function encodeRecord(type: number, content: Uint8Array): Uint8Array {
  if (content.length > CONTENT_LIMIT_BYTES) {
    throw new RangeError(`Cannot encode a FastCGI record of ${content.length} bytes, expected at most 65535`);
  }
  const header = [VERSION, type, 0, REQUEST_ID, content.length >> 8, content.length & 0xff, 0, 0];
  return joinBytes([Uint8Array.from(header), content]);
}

/**
 * Takes the whole records off the beginning of some bytes.
 *
 * @returns The records, and the bytes of one that is not whole yet: fewer than 65798
 * @throws {ParseError} If a record is of another version, which is where other protocols and damage show
 */
export function takeRecords(
  bytes: Uint8Array,
  source: string,
): { readonly records: readonly FcgiRecord[]; readonly rest: Uint8Array } {
  const records: FcgiRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [version = 0, type = 0, idHigh = 0, idLow = 0, lengthHigh = 0, lengthLow = 0, padding = 0] = bytes
      .subarray(at, at + HEADER_BYTES);
    if (version !== VERSION) {
      throw new ParseError(source, `has a record of version ${version}, expected FastCGI version ${VERSION}`);
    }
    const contentAt = at + HEADER_BYTES;
    const contentEnd = contentAt + (lengthHigh << 8 | lengthLow);
    // Without the whole header, length and padding are read as 0, and this is beyond the end all the same.
    if (contentEnd + padding > bytes.length) break;
    records.push({ type, requestId: idHigh << 8 | idLow, content: bytes.slice(contentAt, contentEnd) });
    at = contentEnd + padding;
  }
  return { records, rest: bytes.slice(at) };
}

/** Some bytes one after the other. Never throws. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
