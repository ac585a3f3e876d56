/** Peers for tests: they send bytes, and tell what came until the connection ended. */

const END_DEADLINE_MS = 5_000;

/** What a peer does besides sending. */
export interface PeerOptions {
  /** Ends its half once it has sent. */
  readonly ends?: boolean;
}

/** Connects. */
export function connectTo({ hostname, port }: Deno.NetAddr): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname, port });
}

/**
 * Sends a text, each character as one byte, and reads to the end.
 *
 * @throws What the connection throws: a reset is an error
 */
export async function askRaw(
  address: Deno.NetAddr,
  text: string,
  options: PeerOptions = {},
): Promise<string> {
  using connection = await connectTo(address);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
  if (options.ends) await connection.closeWrite();
  return await readAll(connection);
}

/**
 * Reads to the end.
 *
 * @throws {Error} If there is none within 5 s
 */
export async function readAll(connection: Deno.TcpConn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4_096);
  let text = "";
  const timer = setTimeout(() => connection.close(), END_DEADLINE_MS);
  try {
    for (let count = await connection.read(buffer); count !== null; count = await connection.read(buffer)) {
      text += decoder.decode(buffer.subarray(0, count), { stream: true });
    }
    return text;
  } finally {
    clearTimeout(timer);
  }
}
