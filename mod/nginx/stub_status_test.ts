import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseStubStatus } from "./stub_status.ts";

const SOURCE = "127.0.0.1:80/status";
const PAGE = Deno.readTextFileSync(new URL("../../fixtures/metrics/stub_status.txt", import.meta.url));
const BUSY = "Active connections: 291 \nserver accepts handled requests\n 16630948 16630940 31070465 \n" +
  "Reading: 6 Writing: 179 Waiting: 106 \n";

Deno.test("parseStubStatus() reads the page of nginx 1.22", () => {
  assertEquals(parseStubStatus(PAGE, SOURCE), {
    activeCount: 1,
    acceptsTotal: 4,
    handledTotal: 4,
    requestsTotal: 4,
    readingCount: 0,
    writingCount: 1,
    waitingCount: 0,
  });
});

Deno.test("parseStubStatus() tells the figures of a busy page apart", () => {
  assertEquals(parseStubStatus(BUSY, SOURCE), {
    activeCount: 291,
    acceptsTotal: 16630948,
    handledTotal: 16630940,
    requestsTotal: 31070465,
    readingCount: 6,
    writingCount: 179,
    waitingCount: 106,
  });
});

const REFUSED = [
  { what: "a page cut within its last figure", text: BUSY.slice(0, BUSY.lastIndexOf("6")) },
  { what: "an empty page", text: "" },
  { what: "an error page", text: "<html>404</html>" },
  { what: "a page cut short", text: BUSY.slice(0, BUSY.indexOf("Waiting")) },
  { what: "more than the page", text: `${BUSY}more` },
  { what: "a figure below 0", text: BUSY.replace("291", "-1") },
];

for (const { what, text } of REFUSED) {
  Deno.test(`parseStubStatus() refuses ${what}`, () => {
    assertThrows(() => parseStubStatus(text, SOURCE), ParseError, `Cannot parse "${SOURCE}": `);
  });
}

Deno.test("parseStubStatus() reads or refuses any damaged page", () => {
  assertReadsOrRefuses(BUSY, (text) => assertSoundNumbers(parseStubStatus(text, SOURCE)));
});
