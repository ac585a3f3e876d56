import { assertEquals, assertMatch } from "@std/assert";
import { maybeAddressProblem } from "./listen_address.ts";

Deno.test("maybeAddressProblem() takes every address of IPv4, and two of IPv6", () => {
  for (const text of ["127.0.0.1", "0.0.0.0", "192.0.2.255", "10.20.30.40", "::", "::1"]) {
    assertEquals(maybeAddressProblem(text), undefined);
  }
});

Deno.test("maybeAddressProblem() says what is wrong with the rest", () => {
  for (
    const text of ["", "localhost", "127.1", "1.2.3.256", "1.2.3.04", "1.2.3.4:80", "*", " ::1", "1.2.3"]
  ) {
    assertMatch(maybeAddressProblem(text) ?? "", /is no IP address|cannot be listened on/, text);
  }
  assertEquals(
    maybeAddressProblem("2001:db8::1"),
    '"2001:db8::1" cannot be listened on, of IPv6 only :: (all addresses) and ::1 can',
  );
});
