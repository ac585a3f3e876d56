/**
 * Files below `/proc/sys` that hold one whole number: `net/netfilter/nf_conntrack_count` and
 * `nf_conntrack_max`, `net/ipv4/tcp_max_orphans`.
 *
 *     131072
 *
 * The two of conntrack are there only while its module is loaded.
 *
 * @see https://www.kernel.org/doc/html/latest/networking/nf_conntrack-sysctl.html
 */

import { ParseError, quote } from "../errors.ts";

/**
 * Reads such a file.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the text is anything else than a whole number of up to 15 digits
 */
export function parseSysCount(text: string, source: string): number {
  const digits = text.trim();
  if (!/^\d{1,15}$/.test(digits)) {
    throw new ParseError(source, `is ${quote(digits)}, expected a whole number`);
  }
  return Number(digits);
}
