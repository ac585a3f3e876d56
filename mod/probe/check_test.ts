import { assertEquals } from "@std/assert";
import { RESULTS } from "../testing/probe.ts";
import { HOST_CHECK_NAMES, isSite, maybeWorst, rowOf, siteCheck } from "./check.ts";

Deno.test("maybeWorst() lets what is unknown outweigh all but a drain", () => {
  const { o, w, u, b } = RESULTS;
  assertEquals(maybeWorst([]), undefined);
  assertEquals([[o, w, o], [o, w, u], [u, b, w], [o]].map(maybeWorst), [w, u, b, o]);
});

Deno.test("maybeWorst() names the first of two that are equally bad", () => {
  const first = { ...RESULTS.b, evidence: "first" };
  assertEquals(maybeWorst([RESULTS.o, first, { ...RESULTS.b, evidence: "second" }]), first);
});

Deno.test("isSite() tells sites from the checks of the host", () => {
  assertEquals(HOST_CHECK_NAMES.filter(isSite), []);
  assertEquals([isSite(siteCheck("swap")), rowOf(siteCheck("swap")).isOfWeb], [true, true]);
});
