import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { type MysqlGreeting, parseMysqlGreeting } from "./mysql_greeting.ts";

/** A packet with its header. */
function packet(content: string): Uint8Array {
  return bytesOf(`${String.fromCharCode(content.length & 0xff, content.length >> 8)}\0\0${content}`);
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const SAID: readonly (readonly [string, string, MysqlGreeting])[] = [
  ["MariaDB", "\x0a5.5.5-10.11.19-MariaDB-0+deb12u1\0\x05\0\0\0salt", {
    kind: "greeting",
    version: "5.5.5-10.11.19-MariaDB-0+deb12u1",
  }],
  ["a full server", "\xff\x10\x04Too many connections", { kind: "full" }],
  ["a full server with an SQL state", "\xff\x10\x04#08004Too many connections", { kind: "full" }],
  ["a host that is blocked", "\xff\x69\x04Host '10.0.0.9' is blocked", {
    kind: "error",
    code: 1129,
    text: "Host '10.0.0.9' is blocked",
  }],
];
for (const [name, content, said] of SAID) {
  Deno.test(`parseMysqlGreeting() understands ${name}, and waits until all of it is there`, () => {
    const bytes = packet(content);
    for (let length = 0; length < bytes.length; length++) {
      assertEquals(parseMysqlGreeting(bytes.subarray(0, length), "x"), undefined);
    }
    assertEquals(parseMysqlGreeting(bytes, "x"), said);
  });
}

Deno.test("parseMysqlGreeting() refuses other protocols", () => {
  for (const text of ["HTTP/1.1 400 Bad Request\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\0\0\0\0"]) {
    assertThrows(() => parseMysqlGreeting(bytesOf(text), "x"), ParseError, "expected a greeting of MySQL");
  }
  assertThrows(() => parseMysqlGreeting(packet("\x09old\0"), "x"), ParseError, "protocol 10");
  assertThrows(() => parseMysqlGreeting(packet("\x0ano end"), "x"), ParseError, "protocol 10");
});
