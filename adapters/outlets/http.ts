/**
 * Serves pages over HTTP: it reads the first line of a request, the header `Host` where a page asks for it and nothing more,
 * answers, and closes.
 */

import { messageOf } from "../../mod/errors.ts";
import { isOwnName, readHostHeader } from "../../mod/probe/outlets/host_header.ts";
import { FAILED_REPLY, type HttpPages, renderReply } from "../../mod/probe/outlets/reply.ts";
import { readRequestLine, REQUEST_LINE_LIMIT } from "../../mod/probe/outlets/request_line.ts";
import { isLoopback } from "../../mod/probe/outlets/loopback.ts";
import { answerOnce } from "./answer.ts";
import { keepListening, type ListenerPorts } from "./kept_listener.ts";
import type { Outlet } from "./outlet.ts";

/** What is served, and where. */
export interface HttpPlan {
  readonly address: string;
  readonly port: number;
  readonly pages: HttpPages;
}

/** Begins to serve. */
export function openHttp({ address, port, pages }: HttpPlan, ports: ListenerPorts): Outlet {
  const listener = keepListening({
    name: "HTTP",
    address,
    port,
    answer: (connection) => answerOnce(connection, replyTo),
  }, ports);

  async function replyTo(connection: Deno.TcpConn): Promise<string | undefined> {
    const text = await readFirstLine(connection);
    const request = readRequestLine(text);
    // A peer that connected to see whether it can has said nothing.
    if (request.kind === "more") return undefined;
    const isHere = isLoopback(connection.remoteAddr.hostname);
    const readsHost = request.kind === "request" && (pages.get(request.path)?.readsHost ?? false);
    // A browser on this host is who could be led here by a name; nobody else's head is worth a look.
    const peer = {
      isLoopback: isHere,
      usesOwnName: isHere && readsHost && await usesOwnName(connection, text),
    };
    try {
      const reply = renderReply(request, pages, peer);
      ports.tellChange("HTTP pages", undefined);
      return reply;
    } catch (error) {
      ports.tellChange("HTTP pages", `cannot make a page: ${messageOf(error)}; this is a defect of loadweir`);
      return FAILED_REPLY;
    }
  }

  return {
    addresses(): readonly Deno.NetAddr[] {
      const at = listener.maybeAddress();
      return at === undefined ? [] : [at];
    },
    publish(): void {},
    close: listener.close,
  };
}

/** More than the head of any browser. */
const HEAD_LIMIT = 32_768;

/**
 * Reads on until the name is known that the peer calls this host by. A head that is too long is no browser's. Each line is
 * looked at once, however it comes.
 *
 * @param begun What came so far, each byte as one character
 */
async function usesOwnName(connection: Deno.TcpConn, begun: string): Promise<boolean> {
  const buffer = new Uint8Array(8_192);
  const request = begun.replace(/^[\r\n]+/, "");
  let pending = request.slice(request.indexOf("\n") + 1);
  for (let length = begun.length; length <= HEAD_LIMIT;) {
    const header = readHostHeader(pending);
    if (header.kind === "host") return header.host === undefined || isOwnName(header.host);
    const count = await connection.read(buffer);
    // The end of the peer ends its head.
    const more = count === null ? "\n\n" : latin1(buffer.subarray(0, count));
    pending = header.rest + more;
    length += more.length;
  }
  return false;
}

/**
 * Reads until the line is whole, or so long that it is refused, or the peer has ended, which ends the line too.
 *
 * @returns Each byte as one character
 */
async function readFirstLine(connection: Deno.TcpConn): Promise<string> {
  // One more than may be: a line that fills all of it is told apart from one that is still coming.
  const buffer = new Uint8Array(REQUEST_LINE_LIMIT + 1);
  let text = "";
  while (readRequestLine(text).kind === "more") {
    const count = await connection.read(buffer.subarray(text.length));
    if (count === null) return `${text}\n`;
    text += latin1(buffer.subarray(text.length, text.length + count));
  }
  return text;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
