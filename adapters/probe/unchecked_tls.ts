/** TLS that takes any certificate, so that a site is seen behind one that is refused. */

import { connect } from "node:tls";
import { isIP } from "node:net";
import type { ByteStream } from "./byte_stream.ts";
import type { TlsTunnel } from "./tls_tunnel.ts";

/** How long the socket may take to see that its tunnel is gone. */
const SETTLE_MS = 500;

/**
 * Speaks TLS through a tunnel. The runtime's own TLS cannot do without the check of certificates, so this is
 * Node's. Its `authorized` is true whatever the certificate (Deno 2.7.11): ask `openCheckedTls` for that.
 *
 * @param servername Name that the server is told; an address is not told
 * @returns A stream whose handshake is over. Rejects with what went wrong; the tunnel must be closed in any case
 */
export async function openUncheckedTls(tunnel: TlsTunnel, servername: string): Promise<ByteStream> {
  const socket = connect({
    host: "127.0.0.1",
    port: tunnel.port,
    ...isIP(servername) === 0 ? { servername } : {},
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  });
  let pieces: Uint8Array[] = [];
  let hasEnded = false;
  let failure: unknown;
  let wake = (): void => {};
  const changed = (): void => wake();
  socket.on("connect", () => {
    // Nothing else may be done here: `setNoDelay` would keep the handshake from ever beginning.
    tunnel.admit(socket.localPort ?? 0).catch((error) => fail(error));
  });
  socket.on("data", (piece: Uint8Array) => {
    pieces.push(piece);
    changed();
  });
  socket.on("end", () => {
    hasEnded = true;
    changed();
  });
  socket.on("close", () => {
    hasEnded = true;
    changed();
  });
  socket.on("error", fail);
  function fail(error: unknown): void {
    failure ??= error;
    changed();
  }

  async function read(into: Uint8Array): Promise<number | null> {
    while (pieces.length === 0) {
      if (failure !== undefined) throw failure;
      if (hasEnded) return null;
      await new Promise<void>((resolve) => wake = resolve);
    }
    const [first = new Uint8Array(), ...rest] = pieces;
    const count = Math.min(first.length, into.length);
    into.set(first.subarray(0, count));
    pieces = count < first.length ? [first.subarray(count), ...rest] : rest;
    return count;
  }

  const stream: ByteStream = {
    read,
    write(bytes: Uint8Array): Promise<number> {
      if (failure !== undefined) return Promise.reject(failure);
      // One that fails shows when it is read.
      socket.write(bytes);
      return Promise.resolve(bytes.length);
    },
    close(): void {
      fail(new Deno.errors.Interrupted("closed"));
      tunnel.close();
      // Destroyed within its handshake it would keep its file: it must see the end of the tunnel first.
      const timer = setTimeout(() => socket.destroy(), SETTLE_MS);
      const settled = (): void => {
        clearTimeout(timer);
        socket.destroy();
      };
      if (socket.destroyed) return settled();
      socket.once("close", settled);
      socket.once("error", settled);
      socket.end();
    },
  };
  const isOpen = Promise.withResolvers<void>();
  socket.once("secureConnect", () => isOpen.resolve());
  socket.once("error", isOpen.reject);
  socket.once("close", () => isOpen.reject(new Deno.errors.UnexpectedEof("closed within the handshake")));
  try {
    await isOpen.promise;
    return stream;
  } catch (error) {
    stream.close();
    throw error;
  }
}
