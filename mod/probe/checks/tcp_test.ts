import { assertEquals } from "@std/assert";
import type { Sockstat } from "../../proc/net_sockstat.ts";
import { absent, failed, ok } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { DEFAULT_THRESHOLDS } from "../thresholds.ts";
import { judgeConntrack } from "./conntrack.ts";
import { judgeTcpMemory, judgeTcpOrphans } from "./tcp.ts";

const SOCKSTAT: Sockstat = {
  socketsUsed: 100,
  tcpInUse: 66,
  tcpOrphans: 0,
  tcpTimeWait: 9,
  tcpAllocated: 77,
  tcpMemPages: 6,
  tcp6InUse: undefined,
};

const TCP_MEM = ok({ lowPages: 600, pressurePages: 800, highPages: 1_000 });

const { tcpOrphansPercent: ORPHANS, conntrackPercent: CONNTRACK } = DEFAULT_THRESHOLDS;

for (
  const [pages, says] of [[0, "ok"], [800, "ok"], [801, "warn"], [900, "warn"], [901, "drain"], [
    undefined,
    "unknown",
  ]] as const
) {
  Deno.test(`judgeTcpMemory() says ${says} at ${pages} pages`, () => {
    assertEquals(saysOf(judgeTcpMemory(ok({ ...SOCKSTAT, tcpMemPages: pages }), TCP_MEM)), says);
  });
}

for (
  const [orphans, says] of [[25, "ok"], [26, "warn"], [50, "warn"], [51, "drain"], [
    undefined,
    "unknown",
  ]] as const
) {
  Deno.test(`judgeTcpOrphans() says ${says} at ${orphans} of 100`, () => {
    assertEquals(saysOf(judgeTcpOrphans(ok({ ...SOCKSTAT, tcpOrphans: orphans }), ok(100), ORPHANS)), says);
  });
}

for (const [count, says] of [[75, "ok"], [76, "warn"], [95, "warn"], [96, "drain"]] as const) {
  Deno.test(`judgeConntrack() says ${says} at ${count} of 100`, () => {
    assertEquals(saysOf(judgeConntrack(ok(count), ok(100), CONNTRACK)), says);
  });
}

Deno.test("judgeConntrack() has nothing against a host that tracks no connections, or has no limit", () => {
  assertEquals(saysOf(judgeConntrack(absent("no module"), absent("no module"), CONNTRACK)), "ok");
  assertEquals(saysOf(judgeConntrack(ok(1_000_000), ok(0), CONNTRACK)), "ok");
});

Deno.test("judges of TCP know nothing when one of their figures could not be read", () => {
  const gone = failed("gone");
  const results = [
    judgeTcpMemory(gone, TCP_MEM),
    judgeTcpMemory(ok(SOCKSTAT), gone),
    judgeTcpOrphans(gone, ok(100), ORPHANS),
    judgeTcpOrphans(ok(SOCKSTAT), gone, ORPHANS),
    judgeTcpOrphans(ok(SOCKSTAT), ok(0), ORPHANS),
    judgeConntrack(gone, ok(100), CONNTRACK),
    judgeConntrack(ok(99), gone, CONNTRACK),
    judgeConntrack(ok(99), absent("no module"), CONNTRACK),
  ];
  assertEquals(results.map(saysOf), results.map(() => "unknown"));
});
