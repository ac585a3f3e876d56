/**
 * The reply to one FastCGI request, put together from chunks that end anywhere.
 *
 *     STDOUT "Status: 404 Not Found\r\nContent-type: text/html\r\n\r\nFile not found.\n"
 *     STDERR "Primary script unknown"
 *     END_REQUEST 0 0
 *
 * Whoever asks closes the connection once END_REQUEST has come. php-fpm sends it, and then its worker reads on
 * until the other side closes: a pool's status socket has one worker, and hangs for the next one who asks.
 *
 * @see https://fastcgi-archives.github.io/FastCGI_Specification.html
 */

import { ParseError } from "../errors.ts";
import { joinBytes, RECORD, REQUEST_ID, takeRecords } from "./record.ts";

/** Most that a reply may say; the status page of a pool is not a hundredth of it. */
export const STDOUT_LIMIT_BYTES = 65_536;

/** Most that is kept of the errors, which are for people. */
export const STDERR_LIMIT_BYTES = 4_096;

/** END_REQUEST: application status in four bytes, protocol status, three bytes of nothing. */
const END_BYTES = 8;

/** A reply that is still coming. */
export interface Receiving {
  /** Bytes of a record that is not whole yet. */
  readonly pending: Uint8Array;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Undefined until END_REQUEST. What comes after it is not looked at. */
  readonly end: { readonly appStatus: number; readonly protocolStatus: number } | undefined;
}

/** Before the first byte. */
export const NOTHING_RECEIVED: Receiving = {
  pending: new Uint8Array(),
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  end: undefined,
};

/** A reply that has come. */
export interface FcgiReply {
  readonly stdout: Uint8Array;
  /** At most 4096 bytes. */
  readonly stderr: Uint8Array;
  /** What the application returned: 0 is well. */
  readonly appStatus: number;
}

/** What the protocol can say of a request instead of serving it. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [1, "it cannot serve two requests on one connection"],
  [2, "it is overloaded"],
  [3, "it does not know the role"],
]);

/**
 * Takes the next chunk.
 *
 * @param source Whom was asked, for errors
 * @throws {ParseError} If it is no FastCGI, of another request, of a kind that answers nothing that was asked,
 * or more than 65536 bytes
 */
export function receive(before: Receiving, chunk: Uint8Array, source: string): Receiving {
  if (before.end !== undefined) return before;
  const { records, rest } = takeRecords(joinBytes([before.pending, chunk]), source);
  const stdout = [before.stdout];
  const stderr = [before.stderr];
  let end: Receiving["end"];
  for (const { type, requestId, content } of records) {
    if (requestId !== REQUEST_ID) {
      throw new ParseError(source, `answers request ${requestId}, expected ${REQUEST_ID}`);
    }
    if (type === RECORD.stdout) stdout.push(content);
    else if (type === RECORD.stderr) stderr.push(content);
    else if (type === RECORD.endRequest) {
      end = endOf(content, source);
      break;
    } else {throw new ParseError(
        source,
        `sends a record of type ${type}, expected STDOUT, STDERR or END_REQUEST`,
      );}
  }
  const said = joinBytes(stdout);
  if (said.length > STDOUT_LIMIT_BYTES) {
    throw new ParseError(source, `says more than ${STDOUT_LIMIT_BYTES} bytes, expected a short page`);
  }
  return {
    pending: end === undefined ? rest : new Uint8Array(),
    stdout: said,
    stderr: joinBytes(stderr).slice(0, STDERR_LIMIT_BYTES),
    end,
  };
}

/**
 * The reply, once the connection is closed or END_REQUEST has come.
 *
 * @throws {ParseError} If END_REQUEST has not come, or says that the request was not served
 */
export function replyOf({ pending, stdout, stderr, end }: Receiving, source: string): FcgiReply {
  if (end === undefined) {
    const byteCount = pending.length + stdout.length;
    throw new ParseError(source, `is closed after ${byteCount} bytes, expected END_REQUEST first`);
  }
  if (end.protocolStatus !== 0) {
    const why = REFUSALS.get(end.protocolStatus) ?? `protocol status ${end.protocolStatus}`;
    throw new ParseError(source, `refuses the request: ${why}, expected it to be served`);
  }
  return { stdout, stderr, appStatus: end.appStatus };
}

function endOf(content: Uint8Array, source: string): Receiving["end"] {
  if (content.length !== END_BYTES) {
    throw new ParseError(source, `ends with ${content.length} bytes, expected ${END_BYTES} in END_REQUEST`);
  }
  const [a = 0, b = 0, c = 0, d = 0, protocolStatus = 0] = content;
  return { appStatus: (a << 24 | b << 16 | c << 8 | d) >>> 0, protocolStatus };
}
