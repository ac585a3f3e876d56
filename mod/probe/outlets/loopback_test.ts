import { assertEquals } from "@std/assert";
import { isLoopback } from "./loopback.ts";

Deno.test("isLoopback() knows the addresses of this host, also in the writing of IPv6", () => {
  for (const address of ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"]) {
    assertEquals(isLoopback(address), true, address);
  }
});

Deno.test("isLoopback() takes no other host for this one", () => {
  const others = [
    "192.0.2.1",
    "10.127.0.1",
    "1127.0.0.1",
    "127.0.0.1.example",
    "::ffff:192.0.2.1",
    "::",
    "fe80::1",
    "",
  ];
  for (const address of others) assertEquals(isLoopback(address), false, address);
});
