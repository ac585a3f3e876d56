import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { readRequestLine, REQUEST_LINE_LIMIT, type RequestLine } from "./request_line.ts";

function request(method: "GET" | "HEAD", path: string): RequestLine {
  return { kind: "request", method, path };
}

const READ: readonly { readonly what: string; readonly text: string; readonly line: RequestLine }[] = [
  { what: "a plain GET", text: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", line: request("GET", "/healthz") },
  {
    what: "a HEAD with an invalid Content-Length",
    text: "HEAD /healthz HTTP/1.0\r\nContent-Length: -\r\n",
    line: request("HEAD", "/healthz"),
  },
  {
    what: "a line before its headers have come",
    text: "GET /healthz HTTP/1.1\r\n",
    line: request("GET", "/healthz"),
  },
  { what: "a line without a version", text: "GET /healthz\n", line: request("GET", "/healthz") },
  { what: "a version that is none", text: "get /healthz HTCPCP/9\n", line: request("GET", "/healthz") },
  {
    what: "headers that are none",
    text: "GET /livez HTTP/1.1\r\n\0\xff\r\n",
    line: request("GET", "/livez"),
  },
  { what: "a query", text: "GET /healthz?full=1#x HTTP/1.1\r\n", line: request("GET", "/healthz") },
  {
    what: "an address with a host",
    text: "GET http://a.example/healthz HTTP/1.1\r\n",
    line: request("GET", "/healthz"),
  },
  { what: "a host alone", text: "GET http://a.example HTTP/1.1\r\n", line: request("GET", "/") },
  { what: "empty lines first", text: "\r\n\nGET /healthz HTTP/1.1\r\n", line: request("GET", "/healthz") },
  { what: "half a line", text: "GET /healthz HTTP/1.1", line: { kind: "more" } },
  { what: "nothing", text: "", line: { kind: "more" } },
  { what: "another method", text: "POST /healthz HTTP/1.1\r\n", line: { kind: "refused", status: 405 } },
  { what: "TLS", text: "\x16\x03\x01\x02\n", line: { kind: "refused", status: 400 } },
  { what: "a word alone", text: "GET\r\n", line: { kind: "refused", status: 400 } },
  {
    what: "a line that does not end",
    text: "G".repeat(REQUEST_LINE_LIMIT + 1),
    line: { kind: "refused", status: 414 },
  },
  {
    what: "empty lines that do not end",
    text: "\n".repeat(REQUEST_LINE_LIMIT + 1),
    line: { kind: "refused", status: 414 },
  },
  {
    what: "a line that is too long",
    text: `GET /${"x".repeat(REQUEST_LINE_LIMIT)}\n`,
    line: { kind: "refused", status: 414 },
  },
];

for (const { what, text, line } of READ) {
  Deno.test(`readRequestLine() reads ${what}`, () => {
    assertEquals(readRequestLine(text), line);
  });
}

Deno.test("readRequestLine() waits for no more than it may, whatever comes", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
    if (readRequestLine(text).kind === "more") assert(!/[^\r\n]\r?\n/.test(text));
    assertEquals(readRequestLine(text + "x".repeat(REQUEST_LINE_LIMIT + 1)).kind !== "more", true);
  }));
});
