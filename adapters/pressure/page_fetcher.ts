/**
 * Fetches the pages on which instances tell their figures, each second, over connections that are made anew.
 *
 * An instance that is overloaded answers late or never. No page is waited for beyond its deadline, and none is asked
 * for while a question of before has not come to its end: whatever an instance does, it has one connection of ours at
 * most, and this program no memory that grows.
 */

import type { MetricsAddress } from "../../mod/config/pressure_config.ts";
import { messageOf } from "../../mod/errors.ts";
import { createReplyReader, type ReplyReader, type ReplyState } from "../../mod/http/reply_reader.ts";
import { endpointText } from "../../mod/ip_address.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import { deadlineOf } from "../deadline.ts";
import { closeQuietly, writeAll } from "../probe/byte_stream.ts";
import { whyForbidden } from "../probe/local_socket.ts";

/** A page. */
export interface Page {
  readonly text: string;
  /** As the server wrote it; empty where it did not. */
  readonly contentType: string;
}

/** Fetches pages. */
export interface PageFetcher {
  /** Fetches a page. Comes back within the deadline and a twentieth of a second. Never rejects. */
  readonly fetch: (address: MetricsAddress) => Promise<Reading<Page>>;
  /** Hangs up. */
  readonly close: () => void;
}

/** How to fetch. */
export interface PageFetcherOptions {
  /** From the connection to the end of the page. */
  readonly deadlineMs: number;
  /** Largest page. Default: 4 MiB, twenty times what the busiest exporters send. */
  readonly limitBytes?: number;
}

const LIMIT_BYTES = 4 << 20;

const HANG_UP_MS = 50;

const BUFFER_BYTES = 65_536;

/** The text format with its version, which every exporter has; OpenMetrics where there is nothing else. */
const ACCEPT = "text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1";

/** EAGAIN: the queue of a unix socket is full. */
const QUEUE_FULL = /os error 11\b/;

/** Makes a fetcher; it is meant to live as long as the instances are looked at. */
export function createPageFetcher({ deadlineMs, limitBytes = LIMIT_BYTES }: PageFetcherOptions): PageFetcher {
  const requests = new Map<string, Uint8Array>();
  const underWay = new Map<string, AbortController>();
  // The runtime collects buffers late, and there would be a new one for each page of each second.
  const buffers: Uint8Array<ArrayBuffer>[] = [];
  const decoder = new TextDecoder();
  let isClosed = false;

  function requestFor(address: MetricsAddress, key: string): Uint8Array {
    const request = requests.get(key) ?? new TextEncoder().encode(requestText(address));
    requests.set(key, request);
    return request;
  }

  async function fetchOnce(
    address: MetricsAddress,
    key: string,
    signal: AbortSignal,
  ): Promise<Reading<Page>> {
    const reader = createReplyReader(limitBytes);
    const buffer = buffers.pop() ?? new Uint8Array(BUFFER_BYTES);
    let isConnected = false;
    let connection: Deno.Conn | undefined;
    const hangUp = (): void => {
      if (connection !== undefined) closeQuietly(connection);
    };
    signal.addEventListener("abort", hangUp, { once: true });
    try {
      connection = await connect(address, signal);
      isConnected = true;
      if (signal.aborted) return failed("hung up");
      const state = await converse(connection, requestFor(address, key), reader, buffer);
      return pageOf(reader, state, limitBytes, key, decoder);
    } catch (error) {
      return failed(isConnected ? brokenText(error, key) : unreachableText(error, key));
    } finally {
      hangUp();
      signal.removeEventListener("abort", hangUp);
      buffers.push(buffer);
    }
  }

  return {
    async fetch(address: MetricsAddress): Promise<Reading<Page>> {
      const key = pageText(address);
      if (isClosed) return failed(problem(key, "no page is fetched any more, this program is ending"));
      if (underWay.has(key)) {
        return failed(problem(key, "the look before has not come to its end, so this one is left out"));
      }
      const forbidden = whyForbidden(address.at);
      if (forbidden !== undefined) return failed(problem(key, forbidden));
      const controller = new AbortController();
      underWay.set(key, controller);
      const fetched = fetchOnce(address, key, controller.signal).finally(() => underWay.delete(key));
      if (await endsIn(deadlineMs, fetched)) return await fetched;
      controller.abort();
      // What hangs up comes to its end at once; the connection of one that does not keeps the next look away.
      await endsIn(HANG_UP_MS, fetched);
      return failed(
        problem(
          key,
          `no whole page within ${deadlineMs} ms; an instance that is too busy answers late, else see what hangs there`,
        ),
      );
    },
    close(): void {
      isClosed = true;
      for (const controller of underWay.values()) controller.abort();
    },
  };
}

/** Whether it comes to its end within so many milliseconds. */
async function endsIn(ms: number, fetched: Promise<Reading<Page>>): Promise<boolean> {
  return await deadlineOf(ms, fetched) !== undefined;
}

/** Where a page is, as it is configured: `http://127.0.0.1:9101/metrics`, `unix:/run/loadweir/metrics/web.sock:/metrics`. */
export function pageText({ at, path }: MetricsAddress): string {
  return at.kind === "unix" ? `unix:${at.path}:${path}` : `http://${endpointText(at.host, at.port)}${path}`;
}

function requestText({ at, path }: MetricsAddress): string {
  const host = at.kind === "unix" ? "localhost" : endpointText(at.host, at.port);
  return [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    "User-Agent: loadweir",
    `Accept: ${ACCEPT}`,
    "Accept-Encoding: identity",
    "Connection: close",
    "\r\n",
  ].join("\r\n");
}

function connect({ at }: MetricsAddress, signal: AbortSignal): Promise<Deno.Conn> {
  return at.kind === "unix"
    ? Deno.connect({ transport: "unix", path: at.path })
    : Deno.connect({ transport: "tcp", hostname: at.host, port: at.port, signal });
}

/** Asks, and reads to the end of the reply. Rejects as the connection does. */
async function converse(
  connection: Deno.Conn,
  request: Uint8Array,
  reader: ReplyReader,
  buffer: Uint8Array<ArrayBuffer>,
): Promise<ReplyState> {
  await writeAll(connection, request);
  while (true) {
    const count = await connection.read(buffer);
    if (count === null) return reader.end();
    const state = reader.push(buffer.subarray(0, count));
    if (state.kind !== "more") return state;
  }
}

function pageOf(
  reader: ReplyReader,
  state: ReplyState,
  limitBytes: number,
  key: string,
  decoder: TextDecoder,
): Reading<Page> {
  if (state.kind === "broken") {
    return failed(problem(key, `${state.problem}; see whether the address is that of a page of metrics`));
  }
  const head = reader.head();
  if (state.kind === "limit") {
    return failed(
      problem(key, `the page is larger than ${limitBytes} bytes; leave out what the exporter need not tell`),
    );
  }
  if (head?.status !== 200) {
    return failed(
      problem(key, `answered ${head?.status}, expected 200; see whether the path is that of the metrics`),
    );
  }
  if (head.encoding !== "" && head.encoding !== "identity") {
    return failed(problem(key, `packed as "${head.encoding}", which was not asked for; expected plain text`));
  }
  return ok({ text: decoder.decode(reader.body()), contentType: head.contentType });
}

function unreachableText(error: unknown, key: string): string {
  if (error instanceof Deno.errors.ConnectionRefused) {
    return problem(key, "connection refused; start the instance, or correct where its metrics are");
  }
  if (error instanceof Deno.errors.NotFound) {
    return problem(key, "there is no such socket; start the instance, or correct where its metrics are");
  }
  const text = messageOf(error);
  return QUEUE_FULL.test(text)
    ? problem(
      key,
      "the queue of its socket is full; the instance takes connections too slowly, or not at all",
    )
    : problem(key, text);
}

function brokenText(error: unknown, key: string): string {
  return problem(
    key,
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe
      ? "connection reset; see what the instance logs"
      : messageOf(error),
  );
}

function problem(key: string, what: string): string {
  return `Cannot read metrics at "${key}": ${what}`;
}
