/**
 * The kernel's own switches: while one is 1, no echo request of its family is answered.
 *
 *     net.ipv4.icmp_echo_ignore_all = 0
 *     net.ipv6.icmp.echo_ignore_all = 0
 *
 * They are for everybody, the host itself too. The one of IPv6 came with Linux 4.19.
 *
 * @see https://www.kernel.org/doc/html/latest/networking/ip-sysctl.html
 */

import { ParseError, quote } from "../errors.ts";
import type { Family } from "./family.ts";

/** Names as sysctl(8) takes them. */
export const ECHO_SYSCTLS: Readonly<Record<Family, string>> = {
  ipv4: "net.ipv4.icmp_echo_ignore_all",
  ipv6: "net.ipv6.icmp.echo_ignore_all",
};

/** The path of a switch below a proc root. */
export function sysctlPath(family: Family): string {
  return `sys/${ECHO_SYSCTLS[family].replaceAll(".", "/")}`;
}

/** The arguments that set switches. */
export function writeArguments(families: readonly Family[], isIgnored: boolean): readonly string[] {
  return ["-w", ...families.map((family) => `${ECHO_SYSCTLS[family]}=${isIgnored ? 1 : 0}`)];
}

/**
 * Reads a switch: whether echo requests are ignored. Any number but 0 is a yes to the kernel.
 *
 * @param text The whole file, or what `sysctl -n` printed
 * @throws {ParseError} If it is no number
 */
export function parseEchoIgnored(text: string, source: string): boolean {
  const digits = text.trim();
  if (!/^\d{1,10}$/.test(digits)) throw new ParseError(source, `is ${quote(digits)}, expected 0 or 1`);
  return Number(digits) !== 0;
}
