/** How many of the other hosts behind the balancer are out: their own agents say so. */

import { deadlineOf } from "../deadline.ts";

/** Where an agent answers. */
const PORT = 9807;

/** The status line of a host that is in. */
const IS_IN = /^HTTP\/1\.[01] 200[ \r\n]/;

/**
 * Counts the peers that do not say that they are in. One that does not answer serves nobody either, as far as can be seen,
 * so that this host rather stays. Those that are in are asked twice: while one that is gone was waited for, another that
 * shares our trouble may have gone out. Never rejects.
 *
 * @param peers IP literals
 * @param deadlineMs For a connection, and for an answer: a host that takes longer to say that it serves does not
 */
export async function countPeersOut(
  peers: readonly string[],
  deadlineMs: number,
  port = PORT,
): Promise<number> {
  const seenIn = await thoseIn(peers, deadlineMs, port);
  const stillIn = seenIn.length === peers.length ? seenIn : await thoseIn(seenIn, deadlineMs, port);
  return peers.length - stillIn.length;
}

async function thoseIn(
  peers: readonly string[],
  deadlineMs: number,
  port: number,
): Promise<readonly string[]> {
  const answers = await Promise.all(peers.map((peer) => isIn(peer, deadlineMs, port)));
  return peers.filter((_, index) => answers[index]);
}

async function isIn(hostname: string, deadlineMs: number, port: number): Promise<boolean> {
  const connection = await connect(hostname, deadlineMs, port);
  if (connection === undefined) return false;
  try {
    return await deadlineOf(deadlineMs, ask(connection)) ?? false;
  } finally {
    connection.close();
  }
}

/**
 * Undefined where nobody answers in time, or the sandbox lets nobody be asked there. Nothing is left open: the kernel would try
 * a peer that drops what it is sent for two minutes, a socket for each tick.
 */
async function connect(hostname: string, deadlineMs: number, port: number): Promise<Deno.Conn | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deadlineMs);
  try {
    return await Deno.connect({ hostname, port, signal: late.signal });
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** A status line is shorter than one packet: what comes first is enough. */
async function ask(connection: Deno.Conn): Promise<boolean> {
  try {
    await connection.write(new TextEncoder().encode("GET /healthz HTTP/1.0\r\n\r\n"));
    const buffer = new Uint8Array(64);
    const count = await connection.read(buffer);
    return IS_IN.test(new TextDecoder().decode(buffer.subarray(0, count ?? 0)));
  } catch {
    return false;
  }
}
