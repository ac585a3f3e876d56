import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseTcpExt } from "./net_netstat.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/cases/${path}/proc/net/netstat`, import.meta.url));
}

const NEW = fixture("c50-netstat-columns-moved/new");

const CASES = [
  { of: "c50-netstat-columns-moved/old", counts: [287, 290, undefined] },
  { of: "c50-netstat-columns-moved/new", counts: [287, 290, 5] },
];

for (const { of, counts } of CASES) {
  Deno.test(`parseTcpExt() finds figures by name in ${of}`, () => {
    const tcpExt = parseTcpExt(fixture(of));
    assertEquals(
      [tcpExt?.listenOverflowCount, tcpExt?.listenDropCount, tcpExt?.requestQueueDropCount],
      counts,
    );
  });
}

Deno.test("parseTcpExt() takes names without figures for unknown, never for 0", () => {
  assertEquals(parseTcpExt(fixture("c13-gvisor-dummy-loadavg-and-header-only-netstat")), undefined);
  assertEquals(parseTcpExt("TcpExt: ListenOverflows\nIpExt: InNoRoutes\nIpExt: 7\n"), undefined);
});

Deno.test("parseTcpExt() takes no figure of another group", () => {
  const text = "IpExt: ListenOverflows\nIpExt: 7\nTcpExt: TW\nTcpExt: 9\n";
  assertEquals(parseTcpExt(text)?.listenOverflowCount, undefined);
});

const REFUSED = [
  { what: "an empty text", text: "", says: 'has no line "TcpExt:"' },
  { what: "another file", text: "Ip: Forwarding\nIp: 1\n", says: 'has no line "TcpExt:"' },
  {
    what: "a cut line of figures",
    text: NEW.slice(0, NEW.indexOf("287 ")),
    says: "line 2: has 9 figures, expected 12",
  },
  { what: "figures before their first blank", text: "TcpExt: TW\nTcpExt:", says: 'line 2: is "TcpExt:"' },
  {
    what: "a figure that is no number",
    text: "TcpExt: ListenOverflows\nTcpExt: many\n",
    says: 'line 2: ListenOverflows is "many"',
  },
  {
    what: "a name that is there twice",
    text: "TcpExt: ListenDrops ListenDrops\nTcpExt: 1 2\n",
    says: "line 1: has ListenDrops twice",
  },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseTcpExt() refuses ${what}`, () => {
    assertThrows(() => parseTcpExt(text), ParseError, says);
  });
}

Deno.test("parseTcpExt() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(NEW, (text) => assertSoundNumbers(parseTcpExt(text)));
});

Deno.test("parseTcpExt() reads this kernel's counters", () => {
  const tcpExt = parseTcpExt(Deno.readTextFileSync("/proc/net/netstat"));
  assert(tcpExt?.listenOverflowCount !== undefined, JSON.stringify(tcpExt));
});
