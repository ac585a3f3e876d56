import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "./errors.ts";
import { fpmStatusParams, parseFpmStatus } from "./fpm_status.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "./testing/mutations.ts";

const SOURCE = "/run/php/status.sock";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../fixtures/cases/${path}/fpm-status.json`, import.meta.url));
}

const PARTIAL = fixture("c70-fpm-missing-null-string-fields");

Deno.test("parseFpmStatus() reads c70: a figure as text counts, null and what is missing are unknown", () => {
  assertEquals(parseFpmStatus(PARTIAL, SOURCE), {
    pool: "www",
    startTimeS: undefined,
    acceptedCount: 4,
    activeCount: 1,
    idleCount: 1,
    totalCount: 2,
    listenQueueCount: 3,
    maxChildrenReachedCount: undefined,
    slowRequestCount: undefined,
  });
});

Deno.test("parseFpmStatus() reads a page of PHP 8.2", () => {
  const page = '{"pool":"www","process manager":"static","start time":1796155865,"start since":7,' +
    '"accepted conn":3,"listen queue":2,"max listen queue":2,"listen queue len":511,"idle processes":0,' +
    '"active processes":4,"total processes":4,"max active processes":4,"max children reached":1,"slow requests":5}';
  assertEquals(parseFpmStatus(page, SOURCE), {
    pool: "www",
    startTimeS: 1796155865,
    acceptedCount: 3,
    activeCount: 4,
    idleCount: 0,
    totalCount: 4,
    listenQueueCount: 2,
    maxChildrenReachedCount: 1,
    slowRequestCount: 5,
  });
});

const REFUSED = [
  { what: "c67, with requests that are not escaped", text: fixture("c67-fpm-unescaped-strings") },
  { what: "c68/a, an error page", text: fixture("c68-fpm-status-not-json/a") },
  { what: "c68/b, the form for people", text: fixture("c68-fpm-status-not-json/b") },
  { what: "c68/c, a page cut short", text: fixture("c68-fpm-status-not-json/c") },
  { what: "an empty page", text: "" },
  { what: "JSON of something else", text: '{"status":"ok"}' },
  { what: "a list", text: '["pool"]' },
  { what: "null", text: "null" },
  { what: "a figure below 0", text: '{"pool":"www","active processes":-1}' },
  { what: "a fraction", text: '{"pool":"www","active processes":1.5}' },
  { what: "a word for a figure", text: '{"pool":"www","active processes":"many"}' },
  { what: "a flag for a figure", text: '{"pool":"www","active processes":false}' },
];

for (const { what, text } of REFUSED) {
  Deno.test(`parseFpmStatus() refuses ${what}`, () => {
    assertThrows(() => parseFpmStatus(text, SOURCE), ParseError, `Cannot parse "${SOURCE}": `);
  });
}

Deno.test("parseFpmStatus() reads or refuses any damaged page", () => {
  assertReadsOrRefuses(PARTIAL, (text) => assertSoundNumbers(parseFpmStatus(text, SOURCE)));
});

Deno.test("fpmStatusParams() asks for JSON without the requests", () => {
  const { SCRIPT_NAME, SCRIPT_FILENAME, QUERY_STRING } = fpmStatusParams("/status");
  assertEquals([SCRIPT_NAME, SCRIPT_FILENAME, QUERY_STRING], ["/status", "/status", "json"]);
});
