import { assert, assertEquals, assertMatch } from "@std/assert";
import type { MetricsAddress } from "../../mod/config/pressure_config.ts";
import { whyMissing } from "../../mod/reading.ts";
import { createPageFetcher, pageText } from "./page_fetcher.ts";

/** Longer than any answer of a server on the same machine takes. */
const GENEROUS_MS = 20_000;

/** So short that a server that never answers does not hold up the test. */
const SHORT_MS = 60;

const PAGE = "# TYPE up gauge\nup 1\n";

/** What a server does with a connection, until it is closed. */
type Serve = (connection: Deno.Conn) => Promise<void>;

/** A server on loopback for one test. */
function serve(serveOne: Serve): { readonly address: MetricsAddress } & AsyncDisposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const done = answerAll(listener, serveOne);
  return {
    address: { at: { kind: "tcp", host: "127.0.0.1", port: listener.addr.port }, path: "/metrics" },
    [Symbol.asyncDispose]: () => endOf(listener, done),
  };
}

async function answerAll(listener: Deno.Listener, serveOne: Serve): Promise<void> {
  const open: Promise<void>[] = [];
  for await (const connection of listener) {
    open.push(serveOne(connection).catch(() => {}).finally(() => closeQuietly(connection)));
  }
  await Promise.all(open);
}

async function endOf(listener: Deno.Listener, done: Promise<void>): Promise<void> {
  listener.close();
  await done;
}

function closeQuietly(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // The server has closed it.
  }
}

/** Reads a request, up to the empty line. */
async function readRequest(connection: Deno.Conn): Promise<string> {
  let text = "";
  const buffer = new Uint8Array(4_096);
  while (!text.endsWith("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return text;
}

async function send(connection: Deno.Conn, text: string): Promise<void> {
  let rest: Uint8Array = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
}

/** Waits until the other side hangs up. */
async function hang(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(4_096);
  while (await connection.read(buffer) !== null);
}

/** A server that answers with this, and closes. */
function answering(reply: string): Serve {
  return async (connection) => {
    await readRequest(connection);
    await send(connection, reply);
  };
}

function replyOf(body: string, fields = ""): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${fields}\r\n${body}`;
}

Deno.test("fetch() gives the page and what it is", async () => {
  let request = "";
  await using server = serve(async (connection) => {
    request = await readRequest(connection);
    await send(connection, replyOf(PAGE, "Content-Type: text/plain; version=0.0.4\r\n"));
    // One that keeps its connections open is not waited for.
    await hang(connection);
  });
  const fetcher = createPageFetcher({ deadlineMs: GENEROUS_MS });
  assertEquals(await fetcher.fetch(server.address), {
    kind: "ok",
    value: { text: PAGE, contentType: "text/plain; version=0.0.4" },
  });
  assertMatch(request, /^GET \/metrics HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
  assertMatch(request, /\r\nAccept: text\/plain;version=0\.0\.4,application\/openmetrics-text;/);
});

Deno.test("fetch() reads a page in chunks, and one at a unix socket", async () => {
  const folder = await Deno.makeTempDir();
  const listener = Deno.listen({ transport: "unix", path: `${folder}/new.sock` });
  // The runtime removes a socket with its listener, by the name that it had.
  await Deno.rename(`${folder}/new.sock`, `${folder}/web.sock`);
  const done = answerAll(
    listener,
    answering(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nup 1\n\r\n0\r\n\r\n`),
  );
  const fetcher = createPageFetcher({ deadlineMs: GENEROUS_MS });
  const address = { at: { kind: "unix", path: `${folder}/web.sock` }, path: "/m" } as const;
  assertEquals(await fetcher.fetch(address), { kind: "ok", value: { text: "up 1\n", contentType: "" } });
  await endOf(listener, done);
  // The socket is still there, and nobody listens, once no program that another test starts has a copy of it any more.
  let why: string | undefined;
  const until = performance.now() + GENEROUS_MS;
  do {
    why = whyMissing(await fetcher.fetch(address));
  } while (!/connection refused/.test(why ?? "") && performance.now() < until);
  assertMatch(why ?? "", /connection refused; start the instance/);
  await Deno.remove(folder, { recursive: true });
  assertEquals(
    whyMissing(await fetcher.fetch(address)),
    `Cannot read metrics at "unix:${folder}/web.sock:/m": there is no such socket; ` +
      "start the instance, or correct where its metrics are",
  );
});

const BAD: Readonly<Record<string, readonly [Serve, RegExp]>> = {
  "another status": [
    answering("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
    /answered 404, expected 200/,
  ],
  "no HTTP": [answering("SSH-2.0-OpenSSH_9.2\r\n"), /the reply begins with "SSH-2\.0-/],
  "a page cut short": [
    answering("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nup 1\n"),
    /closed within its body, after 5 bytes/,
  ],
  "a head cut short": [answering("HTTP/1.1 200 OK\r\nConte"), /closed within the head/],
  "a connection that is closed": [
    (connection) => readRequest(connection).then(() => {}),
    /closed before a reply/,
  ],
  "a packed page": [answering(replyOf("xx", "Content-Encoding: gzip\r\n")), /packed as "gzip"/],
  "too large a page": [answering(replyOf("x".repeat(2_000))), /larger than 1000 bytes/],
  "a page that never ends": [
    async (connection) => {
      await send(connection, "HTTP/1.1 200 OK\r\n\r\n");
      while (true) await send(connection, "x".repeat(100));
    },
    /larger than 1000 bytes/,
  ],
};

for (const [name, [serveOne, expected]] of Object.entries(BAD)) {
  Deno.test(`fetch() says what is wrong: ${name}`, async () => {
    await using server = serve(serveOne);
    const fetcher = createPageFetcher({ deadlineMs: GENEROUS_MS, limitBytes: 1_000 });
    const reading = await fetcher.fetch(server.address);
    assertEquals(reading.kind, "failed");
    assertMatch(whyMissing(reading) ?? "", expected);
    assert(whyMissing(reading)?.startsWith(`Cannot read metrics at "${pageText(server.address)}": `));
  });
}

Deno.test("fetch() gives up a server that hangs, and hangs up", async () => {
  let hungUp = 0;
  await using server = serve(async (connection) => {
    await hang(connection);
    hungUp++;
  });
  const fetcher = createPageFetcher({ deadlineMs: SHORT_MS });
  for (let times = 0; times < 3; times++) {
    assertMatch(whyMissing(await fetcher.fetch(server.address)) ?? "", /no whole page within 60 ms/);
  }
  while (hungUp < 3) await new Promise((resolve) => setTimeout(resolve, 1));
});

Deno.test("fetch() gives up a page that trickles", async () => {
  await using server = serve(async (connection) => {
    await send(connection, "HTTP/1.1 200 OK\r\n\r\n");
    while (true) {
      await send(connection, "x");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  const fetcher = createPageFetcher({ deadlineMs: SHORT_MS });
  assertMatch(whyMissing(await fetcher.fetch(server.address)) ?? "", /no whole page within 60 ms/);
});

Deno.test("fetch() leaves out a look while one of the same page is under way", async () => {
  let asked = 0;
  const goOn = Promise.withResolvers<void>();
  await using server = serve(async (connection) => {
    await readRequest(connection);
    asked++;
    await goOn.promise;
    await send(connection, replyOf(PAGE));
  });
  const fetcher = createPageFetcher({ deadlineMs: GENEROUS_MS });
  const first = fetcher.fetch(server.address);
  assertMatch(whyMissing(await fetcher.fetch(server.address)) ?? "", /this one is left out/);
  goOn.resolve();
  assertEquals((await first).kind, "ok");
  assertEquals((await fetcher.fetch(server.address)).kind, "ok");
  assertEquals(asked, 2);
});

Deno.test("close() ends what is under way, and nothing is fetched after it", async () => {
  await using server = serve(hang);
  const fetcher = createPageFetcher({ deadlineMs: GENEROUS_MS });
  const reading = fetcher.fetch(server.address);
  fetcher.close();
  assertEquals((await reading).kind, "failed");
  assertMatch(whyMissing(await fetcher.fetch(server.address)) ?? "", /this program is ending/);
});

Deno.test("fetch() leaves nothing open after 500 pages of servers that misbehave", async () => {
  const before = socketCount();
  const reset: Serve = async (connection) => {
    await connection.read(new Uint8Array(1));
    connection.close();
  };
  await using hanging = serve(hang);
  await using cut = serve(answering("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nup"));
  await using resetting = serve(reset);
  await using huge = serve(answering(replyOf("x".repeat(100_000))));
  await using other = serve(answering("220 mail\r\n"));
  await using good = serve(answering(replyOf(PAGE)));
  const closed: MetricsAddress = { at: { kind: "tcp", host: "127.0.0.1", port: 1 }, path: "/" };
  const addresses = [hanging, cut, resetting, huge, other, good].map(({ address }) => address).concat(closed);
  const fetcher = createPageFetcher({ deadlineMs: SHORT_MS, limitBytes: 50_000 });
  let fine = 0;
  for (let times = 0; times < 72; times++) {
    const readings = await Promise.all(addresses.map((address) => fetcher.fetch(address)));
    fine += readings.filter(({ kind }) => kind === "ok").length;
  }
  // The deadline is short, and the machine may be busy.
  assert(fine > 36, `${fine}`);
  const listenerCount = addresses.length - 1;
  await untilOpenFiles(() => socketCount() <= before + listenerCount);
  fetcher.close();
});

/** Sockets of this process: those of the listeners stay. */
function socketCount(): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc/self/fd")) {
    try {
      if (Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith("socket:")) count++;
    } catch {
      // That of the listing itself.
    }
  }
  return count;
}

async function untilOpenFiles(isGood: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (isGood()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${socketCount()} sockets are still open`);
}
