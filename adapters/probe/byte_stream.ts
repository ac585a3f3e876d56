/** A connection as the probe uses it: bytes out, bytes in, and an end. */
export interface ByteStream {
  /** Reads at least one byte; null at the end. Rejects when the connection fails or was closed. */
  readonly read: (into: Uint8Array) => Promise<number | null>;
  /** Writes some of the bytes, and says how many. Rejects as `read` does. */
  readonly write: (bytes: Uint8Array) => Promise<number>;
  /** Closes it for both sides; what waits for it rejects. Never throws, twice neither. */
  readonly close: () => void;
}

/** A connection of the runtime, whose `close` throws the second time. */
export function streamOf(conn: Deno.Conn): ByteStream {
  return {
    read: (into) => conn.read(into),
    write: (bytes) => conn.write(bytes),
    close: () => closeQuietly(conn),
  };
}

/** Writes all of it. Rejects as the stream does. */
export async function writeAll(stream: Pick<ByteStream, "write">, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await stream.write(rest));
}

/** Closes what may be closed already, or may have become something else. Never throws. */
export function closeQuietly(closable: { readonly close: () => void }): void {
  try {
    closable.close();
  } catch {
    // There is nothing left to close.
  }
}
