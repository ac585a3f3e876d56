import { assertEquals } from "@std/assert";
import { endpointText, maybeIpVersion } from "./ip_address.ts";

const ADDRESSES = {
  4: ["127.0.0.1", "0.0.0.0", "255.255.255.255"],
  6: [
    "::",
    "::1",
    "fe80::1",
    "2001:db8:0:0:0:0:0:1",
    "1::2:3",
    "1::",
    "::ffff:192.0.2.1",
    "1:2:3:4:5:6:192.0.2.1",
  ],
  none: [
    "localhost",
    "256.0.0.1",
    "01.2.3.4",
    "1.2.3",
    "1.2.3.4.5",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8:9",
    "12345::",
    "g::1",
    "fe80::1%eth0",
    "127.0.0.1:80",
    "[::1]",
    "",
  ],
} as const;

Deno.test("maybeIpVersion() tells addresses from names and from what is none", () => {
  for (const text of ADDRESSES[4]) assertEquals(maybeIpVersion(text), 4, text);
  for (const text of ADDRESSES[6]) assertEquals(maybeIpVersion(text), 6, text);
  for (const text of ADDRESSES.none) assertEquals(maybeIpVersion(text), undefined, text);
});

Deno.test("endpointText() puts IPv6 into brackets", () => {
  assertEquals([endpointText("127.0.0.1", 1), endpointText("::1", 2)], ["127.0.0.1:1", "[::1]:2"]);
});
