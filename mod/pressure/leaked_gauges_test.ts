import { assertEquals } from "@std/assert";
import { absent, failed, ok } from "../reading.ts";
import { withoutLeakedGauges } from "./leaked_gauges.ts";
import { NO_METRICS } from "./metrics.ts";
import type { InstanceSample } from "./sample.ts";

const NGINX: InstanceSample = {
  name: "nginx",
  group: ok([{ pid: 7, ppid: 1, startTicks: 1, cpuTicks: 1, reapedTicks: 0, rssKib: 9_000 }]),
  metrics: ok({ ...NO_METRICS, inflightCount: 40, openConnectionsCount: 300, acceptsTotal: 5 }),
};

Deno.test("withoutLeakedGauges() makes gauges unknown that count more connections than there are sockets", () => {
  assertEquals(
    withoutLeakedGauges(NGINX, 299).metrics,
    ok({ ...NO_METRICS, acceptsTotal: 5, hasLeakedGauges: true }),
  );
});

for (
  const [what, sample, socketsCount] of [
    ["as many sockets as connections", NGINX, 300],
    ["sockets that could not be counted", NGINX, undefined],
    ["an instance that may be in a network of its own", { ...NGINX, group: absent("no unit") }, 2],
    ["processes that could not be read", { ...NGINX, group: failed("no") }, 2],
    ["a page that did not come", { ...NGINX, metrics: failed("late") }, 2],
    ["a page without connections", { ...NGINX, metrics: ok(NO_METRICS) }, 2],
  ] as const
) {
  Deno.test(`withoutLeakedGauges() leaves alone ${what}`, () => {
    assertEquals(withoutLeakedGauges(sample, socketsCount), sample);
  });
}
