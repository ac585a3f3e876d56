import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { readSiteUrl, type SiteTarget } from "./site.ts";
import { judgeSite, type SiteEnd, type SiteSighting } from "./site_look.ts";
import { createSiteReader, SITE_BODY_LIMIT_BYTES, type SiteReaderState } from "./site_reader.ts";

const TEXT = "Welcome to my Site";
const encoder = new TextEncoder();

/** The seed's site. */
function target(rest: Partial<SiteTarget> = {}): SiteTarget {
  const reading = readSiteUrl("http://www.mywebsite.com");
  if (reading.kind !== "ok") throw new Error(reading.problem);
  return { ...reading.value, name: "mine", expectedText: TEXT, deadlineMs: 4_000, ...rest };
}

function sighting(end: SiteEnd, rest: Partial<SiteSighting> = {}): SiteSighting {
  const times = { connectMs: 1, firstByteMs: 7, totalMs: 12 };
  return { end, times, certificate: { kind: "not-seen" }, ...rest };
}

/** What a reply in some pieces comes to, when the connection ends after it. */
function read(pieces: readonly Uint8Array[], text = TEXT): SiteReaderState {
  const reader = createSiteReader(encoder.encode(text));
  for (const piece of pieces) {
    const state = reader.push(piece);
    if (state.kind !== "more") return state;
  }
  return reader.end();
}

/** The verdict on a reply, in words. */
function verdictOn(text: string): string {
  const state = read([encoder.encode(text)]);
  if (state.kind === "more") throw new Error("The reader wants more after the end");
  const end: SiteEnd = state.kind === "broken"
    ? { kind: "fault", stage: "reply", why: state.problem }
    : { kind: "replied", reply: state.reply };
  const { result } = judgeSite(target(), sighting(end));
  return `${result.state}: ${result.evidence}`;
}

const HEAD = "HTTP/1.1 200 OK\r\n\r\n";

const ROWS: Readonly<Record<string, readonly [reply: string, verdict: string]>> = {
  "the text": [`${HEAD}<h1>${TEXT}</h1>`, `ok: 200 with "${TEXT}"`],
  "the text of a page that goes on": [
    `HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n${TEXT} and more`,
    `ok: 200 with "${TEXT}"`,
  ],
  "another page": [`${HEAD}It works!`, `bad: 200 without "${TEXT}" in its 9 bytes`],
  "another case": [
    `${HEAD}welcome to my site`,
    `bad: 200 without "${TEXT}" in its 18 bytes`,
  ],
  "the text beyond what is looked at": [
    `${HEAD}${"x".repeat(SITE_BODY_LIMIT_BYTES - 5)}${TEXT}`,
    `bad: 200 without "${TEXT}" in the first 262144 bytes`,
  ],
  "an error with the text": [
    `HTTP/1.1 500 Oops\r\n\r\n${TEXT}`,
    "bad: status 500, expected 200 to 299",
  ],
  "a redirect with the text": [
    `HTTP/1.1 301 Moved\r\nLocation: https://www.mywebsite.com/\r\n\r\n${TEXT}`,
    'bad: status 301 to "https://www.mywebsite.com/", redirects are not followed, expected 200 to 299',
  ],
  "a packed body": [
    "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nxyz",
    'unknown: 200 with a body packed as "br", which was not asked for',
  ],
  "half a page": [
    "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf",
    "bad: 127.0.0.1:80: the connection was closed within its body, after 4 bytes of it",
  ],
};

for (const [name, [reply, verdict]] of Object.entries(ROWS)) {
  Deno.test(`judgeSite() judges ${name}`, () => assertEquals(verdictOn(reply), verdict));
}

Deno.test("createSiteReader() finds the text wherever it stands and however the reply is cut", () => {
  const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 });
  const filler = fc.string({ unit: fc.constantFrom("a", "b", "ü"), maxLength: 40 });
  fc.assert(fc.property(
    fc.tuple(texts, filler, filler, fc.boolean(), fc.integer({ min: 1, max: 7 })),
    ([text, before, after, isThere, step]) => {
      const page = `${before}${isThere ? text : ""}${after}`;
      const bytes = encoder.encode(`${HEAD}${page}`);
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.subarray(at, at + step));
      const state = read(pieces, text);
      assert(state.kind === "replied");
      assertEquals(state.reply.body.kind, page.includes(text) ? "found" : "missing");
    },
  ));
});

Deno.test("judgeSite() tells what is late, and does not blame a site for an agent that is late itself", () => {
  const late = (stage: "connect" | "tls" | "reply", totalMs = 4_003): string => {
    const end: SiteEnd = { kind: "late", stage, progress: "no reply" };
    const { result } = judgeSite(
      target({ address: "::1" }),
      sighting(end, { times: { connectMs: undefined, firstByteMs: undefined, totalMs } }),
    );
    return `${result.state}: ${result.evidence}`;
  };
  assertEquals(late("connect"), "bad: [::1]:80: no connection within 4000 ms");
  assertEquals(late("tls"), "bad: [::1]:80: connected, and no TLS within 4000 ms");
  assertEquals(late("reply"), "bad: [::1]:80: connected, and not answered within 4000 ms, no reply so far");
  assertMatch(late("reply", 6_001), /^unknown: the agent itself was late: the look took 6001 ms/);
});

Deno.test("judgeSite() tells certificate and slowness apart from the content", () => {
  const reply = { status: 200, location: undefined, body: { kind: "found" }, bodyBytes: 18 } as const;
  const look = judgeSite(
    target(),
    sighting({ kind: "replied", reply }, {
      times: { connectMs: 3, firstByteMs: 1_001, totalMs: 1_002 },
      certificate: { kind: "refused", problem: "it has expired" },
    }),
  );
  assertEquals(look.result, {
    state: "ok",
    evidence: `200 with "${TEXT}"`,
    numbers: { connectMs: 3, firstByteMs: 1_001, totalMs: 1_002, status: 200, bodyBytes: 18 },
  });
  assertEquals(look.findings, [
    { about: "certificate", text: "it has expired" },
    { about: "time", text: "it took 1002 ms, over 1000 ms" },
  ]);
});

Deno.test("judgeSite() knows nothing of a site that it could not look at", () => {
  const { result } = judgeSite(target(), sighting({ kind: "untold", why: "not granted" }));
  assertEquals(result, { state: "unknown", evidence: "not granted" });
});
