import { assert, assertEquals } from "@std/assert";
import { healthPages, type HttpPages } from "../../mod/probe/outlets/reply.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { aVerdict } from "../../mod/testing/probe.ts";
import { systemClock } from "../clock.ts";
import type { RoomLimits } from "./connection_room.ts";
import { openHttp } from "./http.ts";
import { askRaw, connectTo, readAll } from "./raw_peer.ts";

const SERVING: Published = { verdict: aVerdict(), ageMs: 900, tickMs: 5_000, crawlerBlock: false };
const OUT: Published = { ...SERVING, verdict: aVerdict({ phase: "drained", reason: "web-paused" }) };

interface Server {
  readonly address: Deno.NetAddr;
  readonly told: readonly (readonly [string, string | undefined])[];
}

/** Serves while a test runs, at a port that is free. */
async function whileServing(
  test: (server: Server) => Promise<void>,
  { pages = healthPages(() => SERVING), limits }: { pages?: HttpPages; limits?: RoomLimits } = {},
): Promise<void> {
  const told: [string, string | undefined][] = [];
  const server = openHttp({ address: "127.0.0.1", port: 0, pages }, {
    clock: systemClock,
    tellChange: (subject, line) => void told.push([subject, line]),
    ...limits === undefined ? {} : { limits },
  });
  try {
    const [address] = server.addresses();
    assert(address !== undefined, JSON.stringify(told));
    await test({ address, told });
  } finally {
    await server.close();
  }
}

function statusOf(reply: string): string {
  return reply.split(" ", 2)[1] ?? "";
}

const OK_REQUESTS = [
  {
    what: "a HEAD with an invalid Content-Length",
    text: "HEAD /healthz HTTP/1.0\r\nContent-Length: -1x\r\n\r\n",
  },
  { what: "a GET with headers", text: "GET /healthz HTTP/1.1\r\nHost: a\r\nUser-Agent: b\r\n\r\n" },
  { what: "a line without headers", text: "GET /healthz HTTP/1.1\r\n" },
  { what: "a line without a version, as HTTP/0.9", text: "GET /healthz\r\n" },
  { what: "a bare line feed", text: "GET /healthz HTTP/1.1\n\n" },
  { what: "a version that is none", text: "HEAD /healthz HTTP/7.40\r\n\r\n" },
  { what: "pipelined rubbish", text: `GET /healthz HTTP/1.1\r\n\r\n${"\x00\xff\r\n".repeat(3_000)}` },
  { what: "a body that nobody asked for", text: `GET /healthz HTTP/1.1\r\n\r\n${"x".repeat(40_000)}` },
  { what: "the other page", text: "GET /livez HTTP/1.1\r\n\r\n" },
] as const;

for (const { what, text } of OK_REQUESTS) {
  Deno.test(`openHttp() answers ${what}, and the reply arrives whole`, async () => {
    await whileServing(async ({ address }) => {
      const reply = await askRaw(address, text);
      assertEquals(statusOf(reply), "200");
      assert(reply.includes("\r\nCache-Control: no-store\r\n"));
      const body = reply.slice(reply.indexOf("\r\n\r\n") + 4);
      if (text.startsWith("HEAD")) assertEquals(body, "");
      else assertEquals(JSON.parse(body).status, "pass");
    });
  });
}

const REFUSED = [
  { what: "a path that is no page", text: "GET / HTTP/1.1\r\n\r\n", status: "404" },
  { what: "another method", text: "POST /healthz HTTP/1.1\r\n\r\n", status: "405" },
  { what: "rubbish", text: "\x16\x03\x01\x00\r\n", status: "400" },
  { what: "a line of 10 000 bytes", text: `GET /${"x".repeat(10_000)} HTTP/1.1\r\n\r\n`, status: "414" },
  { what: "a line that never ends", text: "x".repeat(60_000), status: "414" },
] as const;

for (const { what, text, status } of REFUSED) {
  Deno.test(`openHttp() refuses ${what} by ${status}`, async () => {
    await whileServing(async ({ address }) => {
      assertEquals(statusOf(await askRaw(address, text)), status);
    });
  });
}

Deno.test("openHttp() answers a line that comes byte by byte, or that the end of the peer ends", async () => {
  await whileServing(async ({ address }) => {
    using connection = await connectTo(address);
    for (const letter of "GET /healthz\n") {
      await connection.write(new TextEncoder().encode(letter));
    }
    assertEquals(statusOf(await readAll(connection)), "200");
    assertEquals(statusOf(await askRaw(address, "GET /healthz", { ends: true })), "200");
  });
});

Deno.test("openHttp() says nothing to who says nothing, and closes at the end of the peer", async () => {
  await whileServing(async ({ address }) => {
    assertEquals(await askRaw(address, "", { ends: true }), "");
    assertEquals(await askRaw(address, "\r\n", { ends: true }), "");
  });
});

Deno.test("openHttp() answers 503 for a host that is out", async () => {
  await whileServing(async ({ address }) => {
    assertEquals(statusOf(await askRaw(address, "GET /healthz HTTP/1.1\r\n\r\n")), "503");
    assertEquals(statusOf(await askRaw(address, "GET /livez HTTP/1.1\r\n\r\n")), "200");
  }, { pages: healthPages(() => OUT) });
});

Deno.test("openHttp() ends a peer that does not finish its line, and answers others meanwhile", async () => {
  const limits = { connectionLimit: 8, deadlineMs: 300, graceMs: 50 };
  await whileServing(async ({ address }) => {
    using slow = await connectTo(address);
    await slow.write(new TextEncoder().encode("GET /heal"));
    assertEquals(statusOf(await askRaw(address, "GET /healthz\n")), "200");
    assertEquals(await readAll(slow), "");
  }, { limits });
});

Deno.test("openHttp() answers while all of its room is held by peers that say nothing, and tells of it", async () => {
  const limits = { connectionLimit: 8, deadlineMs: 60_000, graceMs: 20 };
  await whileServing(async ({ address, told }) => {
    const holders = await Promise.all(Array.from({ length: 40 }, () => connectTo(address)));
    assertEquals(statusOf(await askRaw(address, "GET /healthz\n")), "200");
    assertEquals(told.some(([, line]) => line?.includes("8 connections that do not end") ?? false), true);
    for (const holder of holders) holder.close();
  }, { limits });
});

Deno.test("openHttp() answers as many peers at a time as it has room for", async () => {
  await whileServing(async ({ address }) => {
    const replies = await Promise.all(
      Array.from({ length: 120 }, () => askRaw(address, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")),
    );
    assertEquals(replies.filter((reply) => statusOf(reply) === "200").length, 120);
  });
});

Deno.test("openHttp() outlives a page that throws, and says so", async () => {
  const pages: HttpPages = new Map([["/metrics", {
    reply: () => {
      throw new Error("oops");
    },
    readsHost: false,
  }]]);
  await whileServing(async ({ address, told }) => {
    assertEquals(statusOf(await askRaw(address, "GET /metrics\n")), "500");
    assertEquals(statusOf(await askRaw(address, "GET /\n")), "404");
    assertEquals(told.filter(([, line]) => line?.includes("oops") ?? false).length, 1);
  }, { pages });
});

/** A page for those alone who use a name of this host's own. */
const OWN_NAME_PAGE: HttpPages = new Map([["/", {
  reply: ({ usesOwnName }) => ({ status: usesOwnName ? 200 : 421, type: "text/plain", body: "" }),
  readsHost: true,
}]]);

const NAMED = [
  { what: "an address", text: "GET / HTTP/1.1\r\nHost: 127.0.0.1:9807\r\n\r\n", status: "200" },
  { what: "localhost", text: "GET / HTTP/1.1\r\nAccept: a\r\nHost: localhost\r\n\r\n", status: "200" },
  { what: "no name", text: "GET / HTTP/1.0\r\n\r\n", status: "200" },
  { what: "a name of others", text: "GET / HTTP/1.1\r\nHost: rebind.example:9807\r\n\r\n", status: "421" },
  {
    what: "a name behind many headers",
    text: `GET / HTTP/1.1\r\nCookie: ${"x".repeat(20_000)}\r\nHost: rebind.example\r\n\r\n`,
    status: "421",
  },
  {
    what: "a name that never comes",
    text: `GET / HTTP/1.1\r\n${`X: ${"x".repeat(100)}\r\n`.repeat(700)}`,
    status: "421",
  },
] as const;

for (const { what, text, status } of NAMED) {
  Deno.test(`openHttp() tells a page whether this host is called by ${what}`, async () => {
    await whileServing(async ({ address }) => {
      assertEquals(statusOf(await askRaw(address, text)), status);
    }, { pages: OWN_NAME_PAGE });
  });
}

Deno.test("openHttp() answers who ends before a name came", async () => {
  await whileServing(async ({ address }) => {
    assertEquals(statusOf(await askRaw(address, "GET / HTTP/1.0\r\n", { ends: true })), "200");
  }, { pages: OWN_NAME_PAGE });
});

Deno.test("openHttp() reads a name that comes byte by byte, behind a line of its own", async () => {
  await whileServing(async ({ address }) => {
    for (const [host, status] of [["127.0.0.1", "200"], ["rebind.example", "421"]] as const) {
      using connection = await connectTo(address);
      for (const letter of `\r\nGET / HTTP/1.1\r\nAccept: a\r\nHost: ${host}\r\n\r\n`) {
        await connection.write(new TextEncoder().encode(letter));
        // Else the kernel gathers them, and one read takes the whole.
        await systemClock.sleep(2);
      }
      assertEquals(statusOf(await readAll(connection)), status);
    }
  }, { pages: OWN_NAME_PAGE });
});
