import { assertEquals, assertMatch } from "@std/assert";
import { maybeValue, whyMissing } from "../reading.ts";
import { EVERYBODY, isEverybody, parseScope } from "./scope.ts";

Deno.test("parseScope() parts the families and keeps each address as it is written", () => {
  const scope = maybeValue(
    parseScope(["192.0.2.10", "198.51.100.0/24", "2001:DB8::/48", "fd00:9::2", "::1", "192.0.2.10"]),
  );
  assertEquals(scope, {
    ipv4: ["192.0.2.10", "198.51.100.0/24"],
    ipv6: ["2001:DB8::/48", "fd00:9::2", "::1"],
  });
});

Deno.test("parseScope() of nothing is everybody", () => {
  assertEquals(maybeValue(parseScope([])), EVERYBODY);
  assertEquals(isEverybody(EVERYBODY), true);
  assertEquals(isEverybody({ ipv4: [], ipv6: ["::1"] }), false);
});

Deno.test("parseScope() leaves out what another prefix holds, since nft refuses ranges that overlap", () => {
  assertEquals(
    maybeValue(parseScope(["10.0.0.5", "10.0.0.0/8", "10.0.0.0/16", "fd00::/8", "fd00::1", "10.0.0.5/32"])),
    { ipv4: ["10.0.0.0/8"], ipv6: ["fd00::/8"] },
  );
  assertEquals(maybeValue(parseScope(["10.0.0.5/32", "10.0.0.5"]))?.ipv4, ["10.0.0.5/32"]);
  assertEquals(maybeValue(parseScope(["fd00::1", "fd00:0::1"]))?.ipv6, ["fd00::1"]);
});

const REFUSED: readonly (readonly [string, string])[] = [
  ["a name", "lb.example.org"],
  ["nothing", ""],
  ["rules of nft", "10.0.0.1 } accept; ip saddr { 10.0.0.2"],
  ["a comma", "10.0.0.1,10.0.0.2"],
  ["host bits behind the prefix", "10.0.0.1/24"],
  ["host bits of IPv6", "fd00::1/64"],
  ["a length beyond the address", "10.0.0.0/33"],
  ["a length beyond an address of IPv6", "fd00::/129"],
  ["an octal part, which some read as another number", "10.0.0.010"],
  ["three parts", "10.0.0"],
  ["a part of 256", "10.0.0.256"],
  ["two gaps", "fd00::1::2"],
  ["a gap that stands for nothing", "1:2:3:4:5:6:7::8"],
  ["nine groups", "1:2:3:4:5:6:7:8:9"],
  ["a zone", "fe80::1%eth0"],
  ["two lengths", "10.0.0.0/8/8"],
  ["an empty length", "10.0.0.0/"],
];
for (const [name, word] of REFUSED) {
  Deno.test(`parseScope() refuses ${name}`, () => {
    assertMatch(
      whyMissing(parseScope(["192.0.2.1", word])) ?? "",
      /^".*" is no scope, expected an IPv4 or IPv6/,
    );
  });
}
