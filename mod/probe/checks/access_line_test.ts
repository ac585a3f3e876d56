import { assertEquals } from "@std/assert";
import { type AccessFormat, countAccess, maybeStatus } from "./access_line.ts";

const COMBINED: AccessFormat = { kind: "combined" };

function line(
  status: number | string,
  rest = '157 "-" "Mozilla/5.0 (X11)"',
  request = "GET / HTTP/1.1",
): string {
  return `203.0.113.9 - - [29/Nov/2026:19:31:05 +0000] "${request}" ${status} ${rest}`;
}

const READ = [
  { what: "a plain line", text: line(502), status: 502 },
  { what: "IPv6", text: line(200).replace("203.0.113.9", "2001:db8::1"), status: 200 },
  { what: "a user with blanks", text: line(404).replace("- - [", "- john 200 doe ["), status: 404 },
  {
    what: "a request with a quote and a status in it",
    text: line(403, undefined, "GET /\\x22 500 0 HTTP/1.1"),
    status: 403,
  },
  { what: "an empty request", text: line(400, '0 "-" "-"', ""), status: 400 },
  { what: "a line of the common format", text: line(503, "0"), status: 503 },
  { what: "a length that is not known", text: line(499, '- "-" "-"'), status: 499 },
  { what: "a status that is none", text: line("000"), status: undefined },
  { what: "a line cut before the length", text: line(502, ""), status: undefined },
  { what: "a line without a time in brackets", text: line(502).replace(/[[\]]/g, ""), status: undefined },
  { what: "a time that does not end", text: line(502).replace("]", ""), status: undefined },
  { what: "a line without a user", text: line(502).replace(" - - ", " "), status: undefined },
  { what: "another format", text: "time=19:31:05 status=502", status: undefined },
  { what: "nothing", text: "", status: undefined },
];

for (const { what, text, status } of READ) {
  Deno.test(`maybeStatus() reads ${what}`, () => {
    assertEquals(maybeStatus(text, COMBINED), status);
  });
}

Deno.test("maybeStatus() counts fields in quotes and brackets as one", () => {
  assertEquals(maybeStatus(line(502), { kind: "position", statusField: 6 }), 502);
  assertEquals(maybeStatus('www.example.org "503" 0.012', { kind: "position", statusField: 2 }), 503);
  assertEquals(maybeStatus('www.example.org "503" 0.012', { kind: "position", statusField: 3 }), undefined);
  assertEquals(maybeStatus("502", { kind: "position", statusField: 9 }), undefined);
});

Deno.test("maybeStatus() is done with any long line at once", () => {
  const began = performance.now();
  maybeStatus(`${'" ['.repeat(20_000)}`, COMBINED);
  maybeStatus(`1 - ${"[ ".repeat(30_000)}`, COMBINED);
  maybeStatus(`1 - ${"[x] ".repeat(16_000)}`, COMBINED);
  maybeStatus("x".repeat(10_000_000), COMBINED);
  // The name that a visitor gives, in nginx's own words.
  const name = `1 - ${" [".repeat(30_000)}] x`;
  for (let times = 0; times < 20; times++) maybeStatus(name, COMBINED);
  maybeStatus(name, { kind: "position", statusField: 9 });
  maybeStatus(name.replaceAll("]", ""), { kind: "position", statusField: 9 });
  assertEquals(performance.now() - began < 5_000, true);
});

Deno.test("countAccess() takes no answer for an error that is given on purpose, as to who asks too often", () => {
  assertEquals(countAccess([line(503), line(504)], COMBINED, ""), {
    requestCount: 2,
    errorCount: 1,
    unreadableCount: 0,
  });
});

Deno.test("countAccess() leaves our own probe out, and lines that it cannot read", () => {
  const lines = [
    line(200),
    line(500),
    line(501),
    line(499),
    line(600),
    line(502, '0 "-" "loadweir-probe/0.1.0"'),
    "cut",
    "",
  ];
  assertEquals(countAccess(lines, COMBINED, "loadweir-probe/"), {
    requestCount: 5,
    errorCount: 2,
    unreadableCount: 1,
  });
  assertEquals(countAccess(lines, COMBINED, "").errorCount, 3);
});
