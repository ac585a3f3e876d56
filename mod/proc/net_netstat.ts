/**
 * `/proc/<pid>/net/netstat`: counters of the network stack since boot. Taken from it is what tells of
 * connections that were lost before anyone saw them.
 *
 *     TcpExt: SyncookiesSent … ListenOverflows ListenDrops … TCPReqQFullDrop …
 *     TcpExt: 0 … 287 290 … 5 …
 *
 * Each kernel has other columns, so a figure is found by the name above it.
 *
 * @see https://www.kernel.org/doc/html/latest/networking/snmp_counter.html
 */

import { ParseError, quote } from "../errors.ts";

/** Counters of TcpExt since boot. A column that this kernel does not have is undefined, never 0. */
export interface TcpExt {
  /** Connections dropped because a listener's queue was full. Of any listener of this network namespace. */
  readonly listenOverflowCount: number | undefined;
  /** Connections dropped at a listener for any reason, overflows among them. */
  readonly listenDropCount: number | undefined;
  /** Requests for a connection dropped because too many were open, with SYN cookies off. */
  readonly requestQueueDropCount: number | undefined;
  /** The same, answered by a SYN cookie. */
  readonly requestQueueCookieCount: number | undefined;
  /** Connections ended because TCP had no memory left. */
  readonly abortOnMemoryCount: number | undefined;
}

const PREFIX = "TcpExt: ";

/**
 * Reads the counters.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @returns Undefined where there are names and no figures, as in gVisor: unknown, not 0
 * @throws {ParseError} If there is no TcpExt, if names and figures differ in number, if a name is there twice,
 * or if a figure that is taken is no whole number
 */
export function parseTcpExt(text: string, source = "/proc/net/netstat"): TcpExt | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.startsWith(PREFIX));
  const names = lines[at]?.slice(PREFIX.length).split(" ");
  if (names === undefined) {
    throw new ParseError(
      source,
      `has no line ${quote(PREFIX.trim())}, expected one of names and one of figures`,
    );
  }
  const row = lines[at + 1];
  if (row === undefined || !row.startsWith(PREFIX)) {
    if (lines.slice(at + 1).every((line) => !line.startsWith(PREFIX.trim()))) return undefined;
    throw new ParseError(source, `is ${quote(row ?? "")}, expected the figures of TcpExt`, at + 2);
  }
  const figures = row.slice(PREFIX.length).split(" ");
  if (figures.length !== names.length) {
    throw new ParseError(
      source,
      `has ${figures.length} figures, expected ${names.length} as in the line above`,
      at + 2,
    );
  }

  function maybeCount(name: string): number | undefined {
    const column = names?.indexOf(name) ?? -1;
    if (column !== names?.lastIndexOf(name)) {
      throw new ParseError(source, `has ${name} twice, expected it once`, at + 1);
    }
    const figure = figures[column];
    if (figure === undefined) return undefined;
    if (!/^\d{1,20}$/.test(figure)) {
      throw new ParseError(source, `${name} is ${quote(figure)}, expected a whole number`, at + 2);
    }
    return Number(figure);
  }

  return {
    listenOverflowCount: maybeCount("ListenOverflows"),
    listenDropCount: maybeCount("ListenDrops"),
    requestQueueDropCount: maybeCount("TCPReqQFullDrop"),
    requestQueueCookieCount: maybeCount("TCPReqQFullDoCookies"),
    abortOnMemoryCount: maybeCount("TCPAbortOnMemory"),
  };
}
