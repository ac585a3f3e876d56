import { assertEquals } from "@std/assert";
import { aVerdict } from "../../testing/probe.ts";
import type { ProbeVerdict } from "../verdict.ts";
import { trackValue } from "./track_value.ts";

function valueOf(verdict: ProbeVerdict | undefined, ageMs = 900): number | undefined {
  return trackValue({ verdict, ageMs, tickMs: 5_000, crawlerBlock: false }, -20);
}

Deno.test("trackValue() is 0 for a host that serves, and the configured number for one that is out", () => {
  assertEquals(valueOf(aVerdict()), 0);
  assertEquals(valueOf(aVerdict({ phase: "drained", reason: "web-paused" })), -20);
});

Deno.test("trackValue() says nothing of a host of which nothing is known", () => {
  assertEquals(valueOf(undefined), undefined);
  assertEquals(valueOf(aVerdict({ phase: "starting", reason: "not-proven-yet" })), undefined);
  assertEquals(valueOf(aVerdict(), 15_001), undefined);
  assertEquals(valueOf(aVerdict({ phase: "drained", reason: "check-failed" }), 15_001), undefined);
});
