/**
 * `/proc/sys/net/ipv4/tcp_mem`: how many pages TCP may hold, for IPv4 and IPv6 together.
 *
 *     287898	383867	575796
 *
 * @see https://www.kernel.org/doc/html/latest/networking/ip-sysctl.html
 */

import { ParseError, quote } from "../errors.ts";

/** The three levels, in pages. */
export interface TcpMem {
  /** Below it TCP does not regulate itself. */
  readonly lowPages: number;
  /** Above it TCP shrinks its buffers until it is below `lowPages`. */
  readonly pressurePages: number;
  /** At it TCP gets no more memory, and drops. Above 0. */
  readonly highPages: number;
}

/** 19 digits hold the greatest value of the kernel. Rounding to a double changes no share of it. */
const TCP_MEM = /^(\d{1,19})\s+(\d{1,19})\s+(\d{1,19})$/;

/**
 * Reads `tcp_mem`.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the text is not three whole numbers, or if the last one is 0
 */
export function parseTcpMem(text: string, source = "/proc/sys/net/ipv4/tcp_mem"): TcpMem {
  const [, low, pressure, high] = TCP_MEM.exec(text.trim()) ?? [];
  if (low === undefined || Number(high) === 0) {
    throw new ParseError(
      source,
      `is ${quote(text.trim())}, expected three numbers of pages, the last above 0`,
    );
  }
  return { lowPages: Number(low), pressurePages: Number(pressure), highPages: Number(high) };
}
