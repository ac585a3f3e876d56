/**
 * The sockets that wait for connections, from `/proc/<pid>/net/tcp`, `tcp6` and `unix`.
 *
 *       sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
 *        0: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31337 1 …
 *
 *     Num       RefCount Protocol Flags    Type St Inode Path
 *     ffff8880: 00000002 00000000 00010000 0001 01 31338 /run/php/php8.2-fpm.sock
 *
 * @see https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
 * @see https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */

/** A socket that waits for connections. */
export interface Listener {
  /** What tells it from every other socket of the host. */
  readonly inode: number;
  /** `port 80`, or the path of a unix socket; one in the abstract namespace begins with `@`. */
  readonly at: string;
}

/** A row in state 0A (TCP_LISTEN): the port in hexadecimal, then the inode. */
const TCP_ROW = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:[\dA-F]{4} 0A \S+ \S+ \S+ +\d+ +\d+ +(\d+)/gm;

/** A row with the flag 10000 (__SO_ACCEPTCON) and a path. */
const UNIX_ROW = /^\S+: [\dA-F]+ [\dA-F]+ 00010000 [\dA-F]+ [\dA-F]+ +(\d+) (\S.*)$/gm;

/** The listeners of `net/tcp` or `net/tcp6`, in their order; all other text is passed over. Never throws. */
export function parseTcpListeners(text: string): readonly Listener[] {
  return [...text.matchAll(TCP_ROW)].map(([, port = "", inode]) => ({
    inode: Number(inode),
    at: `port ${parseInt(port, 16)}`,
  }));
}

/** The listeners of `net/unix` that have a name, in their order. Never throws. */
export function parseUnixListeners(text: string): readonly Listener[] {
  return [...text.matchAll(UNIX_ROW)].map(([, inode, path = ""]) => ({ inode: Number(inode), at: path }));
}
