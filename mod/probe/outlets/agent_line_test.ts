import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { aVerdict } from "../../testing/probe.ts";
import type { ProbeVerdict } from "../verdict.ts";
import { DEFAULT_WEIGHTS, renderAgentLine, renderFarewell, renderPlainLine } from "./agent_line.ts";
import type { Published } from "./published.ts";

function published(verdict: ProbeVerdict | undefined, rest: Partial<Published> = {}): Published {
  return { verdict, ageMs: 900, tickMs: 5_000, crawlerBlock: false, ...rest };
}

const DRAINED = aVerdict({ phase: "drained", reason: "check-failed", text: "swap: 1.20 % of swap free" });

const CASES = [
  { what: "a host that serves", published: published(aVerdict()), line: "ready up 100%\n" },
  {
    what: "a host that turns crawlers away",
    published: published(aVerdict(), { crawlerBlock: true }),
    line: "ready up 50%\n",
  },
  {
    what: "a host that is out",
    published: published(DRAINED),
    line: "drain #check-failed: swap: 1.20 % of swap free\n",
  },
  {
    what: "a host that is out by pause",
    published: published(aVerdict({ phase: "drained", reason: "web-paused" }), { crawlerBlock: true }),
    line: "drain #web-paused\n",
  },
  {
    what: "a host that starts",
    published: published(aVerdict({ phase: "starting", reason: "not-proven-yet" })),
    line: "100%\n",
  },
  { what: "a host not looked at yet", published: published(undefined), line: "100%\n" },
  {
    what: "a verdict of three ticks",
    published: published(aVerdict(), { ageMs: 15_000 }),
    line: "ready up 100%\n",
  },
  { what: "a verdict that is too old", published: published(aVerdict(), { ageMs: 15_001 }), line: "100%\n" },
  { what: "a drain that is too old", published: published(DRAINED, { ageMs: 15_001 }), line: "100%\n" },
];

for (const { what, published, line } of CASES) {
  Deno.test(`renderAgentLine() writes the line of ${what}`, () => {
    assertEquals(renderAgentLine(published, DEFAULT_WEIGHTS), line);
  });
}

Deno.test("renderAgentLine() writes one short line of ASCII, whatever was seen", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
    const line = renderAgentLine(
      published(aVerdict({ phase: "drained", reason: "check-failed", text })),
      DEFAULT_WEIGHTS,
    );
    assert(/^drain #[ -~]{1,130}\n$/.test(line), JSON.stringify(line));
  }));
});

Deno.test("renderAgentLine() never says maint, and ready only of a host that is in", () => {
  for (const phase of ["starting", "in", "drained"] as const) {
    const line = renderAgentLine(published(aVerdict({ phase, text: "new disk" })), DEFAULT_WEIGHTS);
    assertEquals([line.includes("maint"), line.includes("ready")], [false, phase === "in"]);
  }
});

Deno.test("renderPlainLine() is what a host that serves says, and renderFarewell() takes back the rest", () => {
  assertEquals(renderPlainLine(DEFAULT_WEIGHTS), renderAgentLine(published(aVerdict()), DEFAULT_WEIGHTS));
  assertEquals(renderFarewell({ normalPercent: 80, crawlerBlockPercent: 50 }), "ready 80%\n");
});
