import { assertEquals } from "@std/assert";
import { NO_METRICS } from "../pressure/metrics.ts";
import { absent, failed, ok } from "../reading.ts";
import { watchedLines } from "./check_watched.ts";

Deno.test("watchedLines() says of each what is there, and what its page lacks to be scaled", () => {
  const lines = watchedLines([
    {
      kind: "instance",
      name: "web@1.service",
      processes: ok(1),
      metrics: ok({ ...NO_METRICS, lag: { kind: "p99", ms: 1 }, inflightCount: 0 }),
    },
    {
      kind: "instance",
      name: "nginx",
      processes: absent("no unit"),
      metrics: ok({ ...NO_METRICS, openConnectionsCount: 3 }),
    },
    { kind: "instance", name: "gone", processes: ok(0), metrics: absent("none of its processes runs") },
    {
      kind: "instance",
      name: "mute",
      processes: ok(2),
      metrics: failed("Cannot ask 127.0.0.1:9101: refused"),
    },
    { kind: "app", name: "php", processes: ok(3), pools: ["www", "shop"] },
    { kind: "app", name: "py\nx", processes: failed("hangs"), pools: [] },
  ]);
  assertEquals(lines, [
    "instance web@1.service: 1 process now, tells loop lag, requests in flight",
    "instance nginx: tells connections, no loop lag, so that it is diagnosed and never scaled",
    "instance gone: 0 processes now, none of its processes runs",
    "instance mute: 2 processes now, Cannot ask 127.0.0.1:9101: refused",
    "app php: 3 processes now, pools www, shop",
    "app py\ufffdx: processes unknown: hangs",
  ]);
});
