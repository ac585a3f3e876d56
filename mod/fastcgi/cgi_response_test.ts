import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { parseCgiResponse } from "./cgi_response.ts";
import { joinBytes } from "./record.ts";

const SOURCE = "/run/php/php8.2-fpm.sock";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

Deno.test("parseCgiResponse() gives status, headers and body", () => {
  const response = parseCgiResponse(
    bytes(
      "Status: 404 Not Found\r\nX-Powered-By:PHP/8.2 \r\nContent-type: text/html\r\n\r\nFile\r\n\r\nnot found.\n",
    ),
    SOURCE,
  );
  assertEquals(response.status, 404);
  assertEquals([...response.headers], [
    ["status", "404 Not Found"],
    ["x-powered-by", "PHP/8.2"],
    ["content-type", "text/html"],
  ]);
  assertEquals(textOf(response.body), "File\r\n\r\nnot found.\n");
});

Deno.test("parseCgiResponse() takes plain line ends, no status for 200, and any bytes in the body", () => {
  const body = Uint8Array.of(0, 0xff, 0xfe);
  const response = parseCgiResponse(joinBytes([bytes("Content-Type: image/png\n\n"), body]), SOURCE);
  assertEquals([response.status, response.body], [200, body]);
});

for (
  const [what, text, says] of [
    ["nothing", "", 'is "", expected headers and an empty line'],
    ["headers without an end", "Content-type: text/html\r\n", "expected headers and an empty line"],
    ["a line that is no header", "Content-type: a\r\nFatal error\r\n\r\n", 'line 2: is "Fatal error"'],
    ["a status that is none", "Status: OK\r\n\r\n", 'Status is "OK", expected 100 to 599'],
    ["headers beyond the limit", `X: ${"y".repeat(9_000)}\r\n\r\n`, "expected headers and an empty line"],
  ] as const
) {
  Deno.test(`parseCgiResponse() refuses ${what}`, () => {
    assertThrows(() => parseCgiResponse(bytes(text), SOURCE), ParseError, says);
  });
}
