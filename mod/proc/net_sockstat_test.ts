import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseSockstat } from "./net_sockstat.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const WHOLE = fixture("cases/c49-sockstat-partial/a/proc/net/sockstat");

const CASES = [
  {
    of: "c49-sockstat-partial/a",
    sockstat: {
      socketsUsed: 2152,
      tcpInUse: 66,
      tcpOrphans: 0,
      tcpTimeWait: 9,
      tcpAllocated: 77,
      tcpMemPages: 6,
      tcp6InUse: undefined,
    },
  },
  {
    of: "c49-sockstat-partial/b",
    sockstat: {
      socketsUsed: undefined,
      tcpInUse: 28,
      tcpOrphans: 0,
      tcpTimeWait: 3,
      tcpAllocated: 41,
      tcpMemPages: 1,
      tcp6InUse: undefined,
    },
  },
];

for (const { of, sockstat } of CASES) {
  Deno.test(`parseSockstat() reads ${of}`, () => {
    assertEquals(parseSockstat(fixture(`cases/${of}/proc/net/sockstat`)), sockstat);
  });
}

Deno.test("parseSockstat() looks fields up by name, and takes one that is not there for unknown", () => {
  const moved = parseSockstat("UDP: mem 3 inuse 9\nTCP: mem 6 novel 1 orphan 4\nTCP6: inuse 12\n");
  assertEquals([moved.tcpMemPages, moved.tcpOrphans, moved.tcp6InUse], [6, 4, 12]);
  assertEquals([moved.tcpInUse, moved.tcpTimeWait, moved.socketsUsed], [undefined, undefined, undefined]);
});

Deno.test("parseSockstat() takes a count of orphans below 0 for none", () => {
  assertEquals(parseSockstat("TCP: inuse 1 orphan -3 tw 0\n").tcpOrphans, 0);
});

const REFUSED = [
  { what: "an empty text", text: "", says: 'line 1: is "", expected a line like' },
  {
    what: "a cut line",
    text: "sockets: used 7\nTCP: inuse 66 orph",
    says: 'line 2: is "TCP: inuse 66 orph"',
  },
  { what: "a word for a number", text: "TCP: inuse many\n", says: 'line 1: is "TCP: inuse many"' },
  { what: "a number too long to be true", text: `TCP: mem ${"9".repeat(16)}\n`, says: "line 1: is" },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseSockstat() refuses ${what}`, () => {
    assertThrows(() => parseSockstat(text), ParseError, says);
  });
}

Deno.test("parseSockstat() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(WHOLE, (text) => assertSoundNumbers(parseSockstat(text)));
});

Deno.test("parseSockstat() reads both files of this kernel", () => {
  const ipv4 = parseSockstat(Deno.readTextFileSync("/proc/net/sockstat"));
  assert(ipv4.tcpMemPages !== undefined && ipv4.tcpInUse !== undefined, JSON.stringify(ipv4));
  const ipv6 = parseSockstat(Deno.readTextFileSync("/proc/net/sockstat6"));
  assertEquals([ipv6.tcp6InUse === undefined, ipv6.tcpMemPages], [false, undefined]);
});
