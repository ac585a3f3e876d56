/**
 * What MySQL and MariaDB say first to whoever connects: a greeting, or why they have none for him.
 *
 *     64 00 00 00  0a "5.5.5-10.11.19-MariaDB-0+deb12u1" 00 …     100 bytes, packet 0, protocol 10, version
 *     17 00 00 00  ff 10 04 "Too many connections"                23 bytes, packet 0, an error, number 1040
 *
 * @see https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection
 */

import { ParseError, quote } from "../errors.ts";

/** What a server said first. */
export type MysqlGreeting =
  /** It takes a login. */
  | { readonly kind: "greeting"; readonly version: string }
  /** It has as many connections as it may have. It serves those. */
  | { readonly kind: "full" }
  /** It runs and takes nobody from here, as it would not take this host any more. */
  | { readonly kind: "error"; readonly code: number; readonly text: string };

/** Length in three bytes, least first, and the number of the packet. */
const HEADER_BYTES = 4;

/** Longer than any first packet. Other protocols show here, read as a length. */
const LENGTH_LIMIT_BYTES = 4_096;

const ERROR = 0xff;
const PROTOCOL = 10;

/** Number of `Too many connections`. */
const TOO_MANY_CONNECTIONS = 1_040;

/**
 * Reads the first packet.
 *
 * @param bytes All that has come so far
 * @param source Who sent it, for errors
 * @returns Undefined while the packet is not whole
 * @throws {ParseError} If it is of another protocol
 */
export function parseMysqlGreeting(bytes: Uint8Array, source: string): MysqlGreeting | undefined {
  const [low = 0, middle = 0, high = 0, packet = 0] = bytes;
  if (bytes.length < HEADER_BYTES) return undefined;
  const length = low | middle << 8 | high << 16;
  if (packet !== 0 || length === 0 || length > LENGTH_LIMIT_BYTES) {
    throw new ParseError(source, `begins with ${quote(textOf(bytes))}, expected a greeting of MySQL`);
  }
  if (bytes.length < HEADER_BYTES + length) return undefined;
  const content = bytes.subarray(HEADER_BYTES, HEADER_BYTES + length);
  if (content[0] === ERROR) return errorOf(content);
  const end = content.indexOf(0);
  if (content[0] !== PROTOCOL || end < 2) {
    throw new ParseError(source, `is ${quote(textOf(content))}, expected protocol ${PROTOCOL} and a version`);
  }
  return { kind: "greeting", version: textOf(content.subarray(1, end)) };
}

/** Before the greeting an error has no SQL state; some versions send one all the same, after a `#`. */
function errorOf(content: Uint8Array): MysqlGreeting {
  const code = (content[1] ?? 0) | (content[2] ?? 0) << 8;
  if (code === TOO_MANY_CONNECTIONS) return { kind: "full" };
  return { kind: "error", code, text: textOf(content.subarray(3)).replace(/^#.{5}/, "") };
}

/** Each byte is one character. */
function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, LENGTH_LIMIT_BYTES));
}
