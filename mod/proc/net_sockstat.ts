/**
 * `/proc/<pid>/net/sockstat` and `sockstat6`: how many sockets there are, and the memory that TCP holds.
 *
 *     sockets: used 2152
 *     TCP: inuse 66 orphan 0 tw 9 alloc 77 mem 6
 *     UDP: inuse 17 mem 17
 *
 * `mem` is in pages, and counts both families. Containers and old kernels leave lines and fields out.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */

import { ParseError, quote } from "../errors.ts";

/** What is taken of a sockstat file. A figure that is not there is undefined, never 0. */
export interface Sockstat {
  /** Sockets of every kind. */
  readonly socketsUsed: number | undefined;
  /** Connections and listeners of IPv4. */
  readonly tcpInUse: number | undefined;
  /** Connections that no process has open any more. The kernel's limit is `sys/net/ipv4/tcp_max_orphans`. */
  readonly tcpOrphans: number | undefined;
  readonly tcpTimeWait: number | undefined;
  readonly tcpAllocated: number | undefined;
  /** Memory of all TCP sockets, in pages. The kernel's limits are in `sys/net/ipv4/tcp_mem`. */
  readonly tcpMemPages: number | undefined;
  /** Connections and listeners of IPv6, in `sockstat6` alone. */
  readonly tcp6InUse: number | undefined;
}

const LINE = /^(\w+):((?: \w+ -?\d{1,15})+)$/;

/**
 * Reads a sockstat file; unknown lines and fields are skipped.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If a line is not a name with pairs of a word and a whole number, or if there is no line
 */
export function parseSockstat(text: string, source = "/proc/net/sockstat"): Sockstat {
  const figures = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "" && index > 0) continue;
    const [, protocol, pairs] = LINE.exec(line) ?? [];
    if (protocol === undefined || pairs === undefined) {
      throw new ParseError(
        source,
        `is ${quote(line)}, expected a line like "TCP: inuse 66 orphan 0"`,
        index + 1,
      );
    }
    for (const [, field, figure] of pairs.matchAll(/ (\w+) (-?\d+)/g)) {
      // Orphans are a sum over CPUs taken without a lock, which can come out below 0 for a moment.
      figures.set(`${protocol} ${field}`, Math.max(0, Number(figure)));
    }
  }
  return {
    socketsUsed: figures.get("sockets used"),
    tcpInUse: figures.get("TCP inuse"),
    tcpOrphans: figures.get("TCP orphan"),
    tcpTimeWait: figures.get("TCP tw"),
    tcpAllocated: figures.get("TCP alloc"),
    tcpMemPages: figures.get("TCP mem"),
    tcp6InUse: figures.get("TCP6 inuse"),
  };
}
