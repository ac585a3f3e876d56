import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { phasesOf, probe, PROVEN, siteLooks } from "../testing/probe.ts";
import { parseInMemory, parseProvenSites, renderInMemory, renderProvenSites, stateFrom } from "./memory.ts";
import { ONE_SITE_RULES } from "../testing/probe.ts";

const LEFT = { bootId: "a", inAtBootMs: 812_000 };

Deno.test("parseInMemory() and parseProvenSites() read what was written, and refuse what was cut short", () => {
  assertEquals(parseInMemory(renderInMemory(LEFT), "x"), LEFT);
  const sites = new Set([JSON.stringify(["www.example.org", "https://www.example.org/", 'ä "b"'])]);
  assertEquals(parseProvenSites(renderProvenSites(sites), "x"), sites);
  for (
    const text of ["", "{}", '{"version":2,"bootId":"a","inAtBootMs":1}', renderInMemory(LEFT).slice(0, 20)]
  ) {
    assertThrows(() => parseInMemory(text, "x"), ParseError);
  }
  for (const text of ["", "[]", '{"version":1,"sites":[1]}']) {
    assertThrows(() => parseProvenSites(text, "x"), ParseError);
  }
});

for (
  const [what, left, bootId, bootMs, phase] of [
    ["an agent of a moment ago", LEFT, "a", 872_000, "in"],
    ["an agent of more than a minute ago", LEFT, "a", 872_001, undefined],
    ["an agent of another boot", LEFT, "b", 813_000, undefined],
    ["a time that is to come", LEFT, "a", 811_999, undefined],
    ["no agent", undefined, "a", 813_000, undefined],
  ] as const
) {
  Deno.test(`stateFrom() begins ${phase === undefined ? "anew" : phase} after ${what}`, () => {
    const state = stateFrom(left, PROVEN.provenSites, bootId, bootMs);
    assertEquals(state.standing?.phase, phase);
    assertEquals(state.provenSites, PROVEN.provenSites);
  });
}

Deno.test("stateFrom() lets a host that was in stay in, and go out for what then fails", () => {
  const start = stateFrom(LEFT, PROVEN.provenSites, "a", 813_000);
  assertEquals(phasesOf(probe(siteLooks("ooo", 813_000), ONE_SITE_RULES, start)), "iii");
  assertEquals(phasesOf(probe(siteLooks("bbbb", 813_000), ONE_SITE_RULES, start)), "iidd");
});
