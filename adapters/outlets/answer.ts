/**
 * Gives one reply and ends the connection so that the reply arrives.
 *
 * Closing while bytes of the peer are unread makes the kernel reset the connection, and the peer may lose the
 * reply. So our half is ended first, and the rest of what the peer says goes unread into the void.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */

/** More than any request with its headers. */
const DISCARD_LIMIT_BYTES = 65_536;

/** Where all connections throw away what they read. */
const scratch = new Uint8Array(8_192);

/**
 * Answers, then waits for the peer to end the connection: the room that it is in sees to the time. Never
 * rejects.
 *
 * @param makeReply Undefined is nothing to answer
 */
export async function answerOnce(
  connection: Deno.TcpConn,
  makeReply: (connection: Deno.TcpConn) => string | undefined | Promise<string | undefined>,
): Promise<void> {
  try {
    const reply = await makeReply(connection);
    if (reply === undefined) return;
    const bytes = new TextEncoder().encode(reply);
    for (let written = 0; written < bytes.length;) {
      written += await connection.write(bytes.subarray(written));
    }
    await connection.closeWrite();
    for (let left = DISCARD_LIMIT_BYTES; left > 0;) {
      const count = await connection.read(scratch);
      if (count === null) return;
      left -= count;
    }
  } catch {
    // The peer is gone, or its time was up: there is nobody to answer.
  }
}
