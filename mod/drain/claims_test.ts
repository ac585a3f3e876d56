import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { ALL_CLAIMS, NO_CLAIMS, parseClaims, renderClaims } from "./claims.ts";

Deno.test("parseClaims() reads what renderClaims() wrote", () => {
  for (const claims of [NO_CLAIMS, ALL_CLAIMS, { sysctl: ["ipv6"], ufw: false } as const]) {
    assertEquals(parseClaims(renderClaims(claims, "this-boot"), "x", "this-boot"), claims);
  }
});

Deno.test("parseClaims() takes those of another boot for none", () => {
  assertEquals(parseClaims(renderClaims(ALL_CLAIMS, "before"), "x", "now"), NO_CLAIMS);
});

Deno.test("parseClaims() takes those of a boot that is only guessed for this one's", () => {
  for (
    const [written, now] of [["booted-179600000", "booted-179600001"], ["booted-1", "0c5e"], [
      "0c5e",
      "booted-1",
    ]]
  ) {
    assertEquals(parseClaims(renderClaims(ALL_CLAIMS, written ?? ""), "x", now ?? ""), ALL_CLAIMS);
  }
});

const TORN = [
  "",
  "{}",
  renderClaims(ALL_CLAIMS, "now").slice(0, 20),
  renderClaims(ALL_CLAIMS, "now").replace("ipv4", "ipv5"),
  renderClaims(ALL_CLAIMS, "now").replace('"version":1', '"version":2'),
];
for (const text of TORN) {
  Deno.test(`parseClaims() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseClaims(text, "x", "now"), ParseError);
  });
}
