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

/** A TCP socket that waits for connections. */
export interface TcpListener extends Listener {
  readonly port: number;
  /** `127.0.0.1`; 0.0.0.0 is any. An IPv6 address is the kernel's 32 hexadecimal digits, all 0 is any. */
  readonly address: string;
  /** Connections that nobody has accepted: the queue of a listener, which other sockets show bytes in. */
  readonly waitingCount: number;
}

/** A row in state 0A (TCP_LISTEN): address and port in hexadecimal, the queues, then the inode. */
const TCP_ROW =
  /^ *\d+: ([\dA-F]{8}|[\dA-F]{32}):([\dA-F]{4}) [\dA-F]+:[\dA-F]{4} 0A [\dA-F]{8}:([\dA-F]{8}) \S+ \S+ +\d+ +\d+ +(\d+)/gm;

/** A row with the flag 10000 (__SO_ACCEPTCON) and a path. */
const UNIX_ROW = /^\S+: [\dA-F]+ [\dA-F]+ 00010000 [\dA-F]+ [\dA-F]+ +(\d+) (\S.*)$/gm;

/** The listeners of `net/tcp` or `net/tcp6`, in their order; all other text is passed over. Never throws. */
export function parseTcpListeners(text: string): readonly TcpListener[] {
  return [...text.matchAll(TCP_ROW)].map(([, address = "", portHex = "", queueHex = "", inode]) => {
    const port = parseInt(portHex, 16);
    return {
      inode: Number(inode),
      at: `port ${port}`,
      port,
      address: address.length === 8 ? ipv4Of(address) : address,
      waitingCount: parseInt(queueHex, 16),
    };
  });
}

/**
 * Connections that wait at a port, over all its listeners. Never throws.
 *
 * @param listeners Those of `net/tcp` and `net/tcp6`
 * @param address An IPv4 address, where the port is looked for at that address alone; undefined for any
 * @returns Undefined where nobody listens there: that is no empty queue
 */
export function waitingAtPort(
  listeners: readonly TcpListener[],
  port: number,
  address?: string,
): number | undefined {
  const there = listeners.filter((row) =>
    row.port === port && (address === undefined || row.address === address)
  );
  return there.length === 0 ? undefined : there.reduce((sum, { waitingCount }) => sum + waitingCount, 0);
}

/** The listeners of `net/unix` that have a name, in their order. Never throws. */
export function parseUnixListeners(text: string): readonly Listener[] {
  return [...text.matchAll(UNIX_ROW)].map(([, inode, path = ""]) => ({ inode: Number(inode), at: path }));
}

/** The kernel prints the address as one number in the byte order of the machine, which is little-endian. */
function ipv4Of(hex: string): string {
  return [6, 4, 2, 0].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(".");
}
