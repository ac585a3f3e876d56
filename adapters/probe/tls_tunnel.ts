/**
 * A connection to a site that TLS goes through, and that can be closed at any time.
 *
 *     TLS of the runtime ◄──► 127.0.0.1, a port of the moment ◄──► here ◄──► the site
 *
 * The runtime keeps the socket of a handshake that is not over open until the other side hangs up, whatever is
 * closed here (Deno 2.7.11, `Deno.startTls` as well as `node:tls`). A site that takes connections and says
 * nothing would take one file of the agent with every look. So the socket to the site stays in our own hands,
 * and TLS is spoken over a pair of sockets within this process: closing our end of it ends the handshake.
 */

import { closeQuietly, streamOf, writeAll } from "./byte_stream.ts";

/** A tunnel to a site. */
export interface TlsTunnel {
  /** The port of 127.0.0.1 that leads to the site, for one connection. */
  readonly port: number;
  /**
   * Lets the connection from that local port through, and nobody else. Rejects when the tunnel is closed.
   */
  readonly admit: (fromPort: number) => Promise<void>;
  /** What went wrong at the site's side, as a reset; undefined when nothing did. */
  readonly maybeSiteError: () => unknown;
  /** Closes all of it. Never throws, twice neither. */
  readonly close: () => void;
}

/** How much is handed on at once: a record of TLS. */
const PIECE_BYTES = 16_384;

/**
 * Opens a tunnel over a connection, which is closed with it.
 *
 * @throws What `Deno.listen` throws; the connection is the caller's then
 */
export function openTunnel(site: Deno.TcpConn): TlsTunnel {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let near: Deno.TcpConn | undefined;
  let siteError: unknown;
  const close = (): void => {
    closeQuietly(listener);
    closeQuietly(site);
    if (near !== undefined) closeQuietly(near);
  };
  return {
    port: listener.addr.port,
    async admit(fromPort: number): Promise<void> {
      near = await acceptFrom(listener, fromPort);
      closeQuietly(listener);
      near.setNoDelay(true);
      site.setNoDelay(true);
      void handOn(near, site).catch(close);
      void handOn(site, near).catch((error) => {
        siteError = error;
        close();
      });
    },
    maybeSiteError: () => siteError,
    close,
  };
}

/** The connection from a local port. Others are turned away: any user of the host may try the port. */
async function acceptFrom(listener: Deno.TcpListener, fromPort: number): Promise<Deno.TcpConn> {
  for (;;) {
    const conn = await listener.accept();
    if (conn.remoteAddr.port === fromPort) return conn;
    closeQuietly(conn);
  }
}

/** Hands on until the end, and hands on the end. Rejects when either side fails. */
async function handOn(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(PIECE_BYTES);
  const target = streamOf(to);
  for (;;) {
    const count = await from.read(buffer);
    if (count === null) break;
    await writeAll(target, buffer.subarray(0, count));
  }
  await to.closeWrite();
}
