/**
 * One FastCGI request, whole: BEGIN_REQUEST, its parameters, and an input that is empty.
 *
 * It is always complete and never without parameters: an empty request has crashed workers of php-fpm.
 *
 * @see https://fastcgi-archives.github.io/FastCGI_Specification.html
 * @see https://github.com/php/php-src/issues/15395
 */

import { encodeRecord, joinBytes, RECORD } from "./record.ts";

/** Role 1, responder; flags 0: the server closes the connection after its reply. */
const BEGIN = Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0);

/** A length up to this takes one byte, a longer one four. */
const SHORT_LENGTH = 0x7f;

/** Parameters by name, as `SCRIPT_NAME`. */
export type FcgiParams = Readonly<Record<string, string>>;

/**
 * A request as bytes, to be sent in one piece.
 *
 * @param params What CGI calls the environment, in UTF-8; never the real one
 * @throws {RangeError} If there is no parameter, or if all of them do not fit into one record of 65535 bytes
 */
export function encodeRequest(params: FcgiParams): Uint8Array {
  const pairs = Object.entries(params).map(([name, value]) => encodePair(utf8Of(name), utf8Of(value)));
  if (pairs.length === 0) throw new RangeError("Cannot encode a FastCGI request without parameters");
  return joinBytes([
    encodeRecord(RECORD.beginRequest, BEGIN),
    encodeRecord(RECORD.params, joinBytes(pairs)),
    encodeRecord(RECORD.params, new Uint8Array()),
    encodeRecord(RECORD.stdin, new Uint8Array()),
  ]);
}

function encodePair(name: Uint8Array, value: Uint8Array): Uint8Array {
  return joinBytes([encodeLength(name.length), encodeLength(value.length), name, value]);
}

/** Big endian, with the highest bit set where it takes four bytes. */
function encodeLength(length: number): Uint8Array {
  if (length <= SHORT_LENGTH) return Uint8Array.of(length);
  return Uint8Array.of(length >> 24 | 0x80, length >> 16 & 0xff, length >> 8 & 0xff, length & 0xff);
}

/** The language itself has no other way to UTF-8. A lone surrogate becomes U+FFFD. */
function utf8Of(text: string): Uint8Array {
  const bytes = encodeURIComponent(text.toWellFormed())
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}
