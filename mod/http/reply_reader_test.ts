import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { createReplyReader, type ReplyState } from "./reply_reader.ts";

const LIMIT = 1_024;

/** Text as bytes, each character one. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** What pieces of a reply, and the end of the connection, come to. */
function read(
  pieces: readonly Uint8Array[],
  limit = LIMIT,
): { state: ReplyState; head: unknown; body: string } {
  const reader = createReplyReader(limit);
  for (const piece of pieces) reader.push(piece);
  const state = reader.end();
  return { state, head: reader.head(), body: String.fromCharCode(...reader.body()) };
}

/** A reply as text in one piece: the kind of its end, status and body. */
function readText(text: string): readonly [string, number | undefined, string] {
  const { state, head, body } = read([bytesOf(text)]);
  return [
    state.kind === "broken" ? state.problem : state.kind,
    (head as { status: number } | undefined)?.status,
    body,
  ];
}

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

const ROWS: Readonly<Record<string, readonly [string, string, number | undefined, string]>> = {
  "a length": ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfourmore", "whole", 200, "four"],
  "a length of nothing": ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "whole", 200, ""],
  "the same length twice": [
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\ncontent-length: 4\r\n\r\nfour",
    "whole",
    200,
    "four",
  ],
  "HTTP/1.0 to the end of the connection": ["HTTP/1.0 200 OK\r\n\r\nold", "whole", 200, "old"],
  "no phrase": ["HTTP/1.1 500\r\n\r\n", "whole", 500, ""],
  "line feeds alone": ["HTTP/1.1 200 OK\nServer: x\n\nbody", "whole", 200, "body"],
  "an empty line before it": ["\r\nHTTP/1.1 200 OK\r\n\r\nbody", "whole", 200, "body"],
  "100 before the reply": ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\n\r\n", "whole", 404, ""],
  "a switch of protocols": ["HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nafter", "whole", 101, ""],
  "no content": ["HTTP/1.1 204 No\r\nContent-Length: 4\r\n\r\n", "whole", 204, ""],
  "chunks": [`${CHUNKED}5\r\nWelco\r\n4;x=y\r\nme t\r\n0\r\nX: y\r\n\r\n`, "whole", 200, "Welcome t"],
  "chunks that a length contradicts": [
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    "whole",
    200,
    "ab",
  ],
  "something else": [
    "SSH-2.0-OpenSSH_9.2\r\n",
    'the reply begins with "SSH-2.0-OpenSSH_9.2\\r\\n", expected HTTP',
    undefined,
    "",
  ],
  "a status that is none": [
    "HTTP/1.1 20 OK\r\n\r\n",
    'the reply begins with "HTTP/1.1 20 OK", expected HTTP',
    undefined,
    "",
  ],
  "a negative length": [
    "HTTP/1.1 200 OK\r\nContent-Length: -6\r\n\r\nbody",
    'Content-Length is "-6", expected one number of bytes',
    undefined,
    "",
  ],
  "two lengths": [
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
    'Content-Length is "4, 5", expected one number of bytes',
    undefined,
    "",
  ],
  "a negative chunk": [
    `${CHUNKED}-6\r\n\r\n0\r\n\r\n`,
    'a chunk has the size "-6", expected hexadecimal digits',
    200,
    "",
  ],
  "a chunk longer than it says": [
    `${CHUNKED}2\r\nabc\r\n`,
    'a chunk goes on with "c" after its end',
    200,
    "ab",
  ],
  "nothing": ["", "the connection was closed before a reply", undefined, ""],
  "half a head": [
    "HTTP/1.1 200 OK\r\nX: ",
    "the connection was closed within the head of the reply",
    undefined,
    "",
  ],
  "half a body": [
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    "the connection was closed within its body, after 4 bytes of it",
    200,
    "half",
  ],
  "chunks without an end": [
    `${CHUNKED}4\r\nhalf\r\n`,
    "the connection was closed within its body, after 4 bytes of it",
    200,
    "half",
  ],
};

for (const [name, [text, kind, status, body]] of Object.entries(ROWS)) {
  Deno.test(`createReplyReader() reads ${name}`, () => assertEquals(readText(text), [kind, status, body]));
}

Deno.test("createReplyReader() tells location, encoding and type by fields of any case", () => {
  const { head } = read([
    bytesOf(
      "HTTP/1.1 302 Found\r\nLOCATION: /x \r\ncontent-ENCODING: GZip\r\nContent-TYPE: text/Plain; a=b\r\n\r\n",
    ),
  ]);
  assertEquals(head, {
    status: 302,
    location: "/x",
    encoding: "gzip",
    contentType: "text/Plain; a=b",
    framing: { kind: "until-close" },
  });
});

Deno.test("createReplyReader() stops at its limits of head and body", () => {
  const long = "x".repeat(70_000);
  assertEquals(
    readText(`HTTP/1.1 200 OK\r\nX: ${long}\r\n\r\n`)[0],
    "the head of the reply is longer than 65536 bytes",
  );
  for (
    const head of [
      "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n",
      `${CHUNKED}ffff\r\n`,
    ]
  ) {
    assertEquals(readText(`${head}${long}`), ["limit", 200, "x".repeat(LIMIT)]);
  }
});

Deno.test("createReplyReader() does not wait for the end of what is no HTTP", () => {
  assertEquals(createReplyReader(LIMIT).push(bytesOf("220 mail")).kind, "broken");
  assertEquals(createReplyReader(LIMIT).push(bytesOf("HTT")).kind, "more");
});

Deno.test("createReplyReader() gives the same wherever a reply is cut", () => {
  const long = `${CHUNKED}ffff\r\n${"x".repeat(2 * LIMIT)}`;
  for (const text of [...Object.values(ROWS).map(([row]) => row), long]) {
    const bytes = bytesOf(text);
    const { state: whole, ...rest } = read([bytes]);
    const cuts = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    for (const pieces of [...cuts, single]) {
      const { state, ...same } = read(pieces);
      // Only the quote of what is no HTTP shows how much had come.
      assertEquals([state.kind, same], [whole.kind, rest]);
    }
  }
});

Deno.test("createReplyReader() gives back any body in any chunks, and ends with any bytes at all", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 12 }), (chunks) => {
      const parts = chunks.flatMap((
        chunk,
      ) => [bytesOf(`${chunk.length.toString(16)}\r\n`), chunk, bytesOf("\r\n")]);
      const { state, body } = read([bytesOf(CHUNKED), ...parts, bytesOf("0\r\n\r\n")], 10_000);
      assertEquals([state.kind, bytesOf(body)], [
        "whole",
        Uint8Array.from(chunks.flatMap((chunk) => [...chunk])),
      ]);
    }),
  );
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("", "HTTP/1.1 200 OK\r\n", CHUNKED),
      (bytes, start) => {
        const { state, body } = read([bytesOf(start), bytes]);
        assert(state.kind !== "more" && body.length <= LIMIT);
      },
    ),
  );
});
