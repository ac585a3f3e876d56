import { assertEquals } from "@std/assert";
import { isOwnName, readHostHeader } from "./host_header.ts";

Deno.test("readHostHeader() waits for the header or the end of the head, and gives back half a line", () => {
  for (
    const [text, rest] of [["", ""], ["Accept: a\r\n", ""], ["Accept: a\r\nHost: 127.0.0.", "Host: 127.0.0."]]
  ) {
    assertEquals(readHostHeader(text ?? ""), { kind: "more", rest: rest ?? "" }, text);
  }
});

Deno.test("readHostHeader() reads the header in any case, and the first one", () => {
  const texts = [
    "Host: a.example:80\r\n",
    "Accept: b\r\nhOsT:a.example:80 \r\nHost: c\r\n\r\n",
    "Host :\ta.example:80\n\n",
  ];
  for (const text of texts) assertEquals(readHostHeader(text), { kind: "host", host: "a.example:80" }, text);
});

Deno.test("readHostHeader() tells a head without it, and reads nothing of a body", () => {
  for (const text of ["\r\n", "\nHost: a\r\n\r\n"]) {
    assertEquals(readHostHeader(text), { kind: "host", host: undefined }, text);
  }
});

Deno.test("readHostHeader() is done with any header at once", () => {
  const began = performance.now();
  assertEquals(readHostHeader(`Host: a${" ".repeat(300_000)}b\n`).kind, "host");
  assertEquals(performance.now() - began < 5_000, true);
});

Deno.test("isOwnName() knows addresses and localhost", () => {
  const own = [
    "127.0.0.1",
    "127.0.0.1:9807",
    "192.0.2.7:80",
    "[::1]:9807",
    "[::1]",
    "LOCALHOST:1",
    "localhost.",
  ];
  for (const host of [...own, "a.localhost:9807"]) assertEquals(isOwnName(host), true, host);
});

Deno.test("isOwnName() takes no name of others", () => {
  const others = ["rebind.example", "rebind.example:9807", "127.0.0.1.example", "localhost.example:9807", ""];
  for (const host of [...others, "::1", "0x7f.1", "127.1", "[::1].example"]) {
    assertEquals(isOwnName(host), false, host);
  }
});
