import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";
import { encodeRecord, joinBytes, RECORD } from "./record.ts";
import {
  type FcgiReply,
  NOTHING_RECEIVED,
  receive,
  type Receiving,
  replyOf,
  STDERR_LIMIT_BYTES,
  STDOUT_LIMIT_BYTES,
} from "./reply.ts";

const SOURCE = "/run/php/php8.2-fpm.sock";

const END = encodeRecord(RECORD.endRequest, new Uint8Array(8));

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

/** A record with padding of a value that must not be taken for anything. */
function padded(type: number, content: Uint8Array, paddingBytes: number): Uint8Array {
  const record = joinBytes([encodeRecord(type, content), new Uint8Array(paddingBytes).fill(0xaa)]);
  record[6] = paddingBytes;
  return record;
}

function receiveAll(chunks: readonly Uint8Array[]): Receiving {
  return chunks.reduce((state, chunk) => receive(state, chunk, SOURCE), NOTHING_RECEIVED);
}

Deno.test("receive() gives the same reply however the bytes are cut, with any padding", () => {
  const part = fc.record({
    type: fc.constantFrom(RECORD.stdout, RECORD.stderr),
    content: fc.uint8Array({ maxLength: 300 }),
    padding: fc.nat({ max: 255 }),
  });
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
      (parts, cuts) => {
        const all = joinBytes([
          ...parts.map(({ type, content, padding }) => padded(type, content, padding)),
          END,
        ]);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) chunks.push(all.slice(at, at += cut));
        const reply = replyOf(receiveAll([...chunks, all.slice(at)]), SOURCE);
        const of = (wanted: number): Uint8Array =>
          joinBytes(parts.filter(({ type }) => type === wanted).map(({ content }) => content));
        assertEquals<FcgiReply>(reply, {
          stdout: of(RECORD.stdout),
          stderr: of(RECORD.stderr),
          appStatus: 0,
        });
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("receive() reads a reply byte by byte", () => {
  const all = joinBytes([encodeRecord(RECORD.stdout, bytes("a: b\r\n\r\nc")), END]);
  const reply = replyOf(receiveAll([...all].map((byte) => Uint8Array.of(byte))), SOURCE);
  assertEquals(textOf(reply.stdout), "a: b\r\n\r\nc");
});

Deno.test("receive() looks at nothing after the end", () => {
  const state = receiveAll([joinBytes([END, encodeRecord(RECORD.stdout, bytes("late"))]), bytes("GET /")]);
  assertEquals(replyOf(state, SOURCE).stdout.length, 0);
});

Deno.test("receive() keeps the first errors alone, and refuses a page without an end", () => {
  const full = new Uint8Array(65_535);
  assertEquals(receiveAll([encodeRecord(RECORD.stderr, full), END]).stderr.length, STDERR_LIMIT_BYTES);
  const most = [encodeRecord(RECORD.stdout, full), encodeRecord(RECORD.stdout, Uint8Array.of(1))];
  assertEquals(receiveAll(most).stdout.length, STDOUT_LIMIT_BYTES);
  assertThrows(() => receiveAll([...most, ...most]), ParseError, "says more than 65536 bytes");
});

Deno.test("replyOf() gives the status of the application, also one above 2^31", () => {
  const end = encodeRecord(RECORD.endRequest, Uint8Array.of(0xff, 0, 0, 1, 0, 0, 0, 0));
  assertEquals(replyOf(receiveAll([end]), SOURCE).appStatus, 0xff000001);
});

const REFUSED = [
  {
    what: "another protocol",
    sent: bytes("HTTP/1.1 400 Bad Request"),
    says: "version 72, expected FastCGI version 1",
  },
  {
    what: "a reply to another request",
    sent: Uint8Array.of(1, 6, 0, 2, 0, 0, 0, 0),
    says: "answers request 2",
  },
  {
    what: "a record of another type",
    sent: Uint8Array.of(1, 11, 0, 1, 0, 0, 0, 0),
    says: "record of type 11",
  },
  {
    what: "an end of another length",
    sent: encodeRecord(RECORD.endRequest, new Uint8Array(4)),
    says: "ends with 4",
  },
  {
    what: "a refusal",
    sent: encodeRecord(RECORD.endRequest, Uint8Array.of(0, 0, 0, 0, 2, 0, 0, 0)),
    says: "refuses the request: it is overloaded",
  },
  {
    what: "a reply cut short",
    sent: END.slice(0, -1),
    says: "closed after 15 bytes, expected END_REQUEST first",
  },
  { what: "no reply", sent: new Uint8Array(), says: "closed after 0 bytes" },
];

for (const { what, sent, says } of REFUSED) {
  Deno.test(`receive() and replyOf() refuse ${what}`, () => {
    assertThrows(() => replyOf(receiveAll([sent]), SOURCE), ParseError, says);
  });
}

Deno.test("receive() reads or refuses any bytes, and never holds more than a record and the limits", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (chunks) => {
      try {
        const state = receiveAll([Uint8Array.of(1, 6, 0, 1, 0, 9, 3, 0), ...chunks]);
        assert(state.pending.length < 65_798 && state.stdout.length <= STDOUT_LIMIT_BYTES);
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
      }
    }),
    { numRuns: 2_000 },
  );
});
