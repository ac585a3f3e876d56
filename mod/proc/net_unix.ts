/**
 * `/proc/<pid>/net/unix`: how many connections wait at the unix sockets of a network namespace.
 *
 *     Num       RefCount Protocol Flags    Type St Inode Path
 *     ffff8880: 00000002 00000000 00010000 0001 01 31338 /run/php/php8.2-fpm.sock
 *     ffff8880: 00000002 00000000 00000000 0001 02     0 /run/php/php8.2-fpm.sock
 *
 * The first row listens (flag 10000). The second is a connection that nobody has accepted: it carries the
 * listener's path, is in state 02 (SS_CONNECTING) and has no inode yet. Measured equal to the Recv-Q of
 * `ss -xln`; php-fpm's own "listen queue" is always 0 for a unix socket.
 *
 * Any user can bind a socket whose name holds a line end and a row of its own making, so a queue seen here may
 * be a lie. No rule may drain a host on it alone.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 * @see https://github.com/php/php-src/issues/9943
 */

import { ParseError, quote } from "../errors.ts";

/** Flags, state, inode and path; the path may hold blanks, and begins with `@` in the abstract namespace. */
const ROW = /^[\da-fA-F]+: [\dA-F]{8} [\dA-F]{8} ([\dA-F]{8}) [\dA-F]{4} ([\dA-F]{2}) +(\d{1,20}) (.+)$/;

/** The flag of a socket that listens (__SO_ACCEPTCON). */
const LISTENS = "00010000";

/**
 * Counts the connections that wait at each listening socket. Lines that are no row are passed over: a path can
 * hold a line end.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @returns By path: 0 where nobody waits, no entry where nobody listens. Listeners that share a path, as the
 * old and the new one during a restart, share a count
 * @throws {ParseError} If the text does not begin with the header, or does not end with a line end: then it is
 * cut, and the count would be too small
 */
export function parseUnixQueues(text: string, source = "/proc/net/unix"): ReadonlyMap<string, number> {
  if (!text.startsWith("Num ")) {
    throw new ParseError(source, `begins with ${quote(text.slice(0, 20))}, expected "Num       RefCount"`);
  }
  if (!text.endsWith("\n")) {
    throw new ParseError(source, `ends with ${quote(text.slice(-20))}, expected a line end: it is cut`);
  }
  const listening = new Set<string>();
  const waiting = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, flags, state, inode, path] = ROW.exec(line) ?? [];
    if (path === undefined) continue;
    if (flags === LISTENS) listening.add(path);
    else if (state === "02" && inode === "0") waiting.set(path, (waiting.get(path) ?? 0) + 1);
  }
  return new Map([...listening].map((path) => [path, waiting.get(path) ?? 0]));
}
