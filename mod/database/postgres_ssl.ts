/**
 * The shortest question to PostgreSQL: whether it speaks TLS. It answers with one letter, before anybody logs
 * in, and logs nothing.
 *
 *     00 00 00 08  04 d2 16 2f   →   S or N
 *
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

import { ParseError, quote } from "../errors.ts";

/** SSLRequest: eight bytes, then 1234 and 5679. */
export const SSL_REQUEST: Uint8Array = Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f);

/**
 * Reads the answer.
 *
 * @param bytes All that has come so far
 * @param source Who sent it, for errors
 * @returns Whether it speaks TLS here; undefined while nothing has come
 * @throws {ParseError} If it is another one, as the error of a server that cannot start a process
 */
export function parseSslAnswer(bytes: Uint8Array, source: string): boolean | undefined {
  if (bytes.length === 0) return undefined;
  const text = String.fromCharCode(...bytes.subarray(0, 1_024));
  if (text === "S" || text === "N") return text === "S";
  throw new ParseError(source, `is ${quote(text)}, expected S or N of PostgreSQL`);
}
