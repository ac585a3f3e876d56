import { assertEquals } from "@std/assert";
import { levelsType, listenAddressesType, MAYBE_DATABASE, peersType, PING_SCOPE } from "./probe_values.ts";

Deno.test("listenAddressesType() takes what can be listened on, and no names", () => {
  const type = listenAddressesType(2);
  assertEquals(type.maybeRead("192.0.2.1, ::1"), { value: ["192.0.2.1", "::1"] });
  assertEquals(type.maybeRead(""), { value: [] });
  for (const text of ["192.0.2.1 ::1 ::", "2001:db8::1", "www.example.org", "192.0.2.1:80", "192.0.2.256"]) {
    assertEquals(type.maybeRead(text), undefined, text);
  }
});

Deno.test("peersType() takes so many IPv4 addresses of hosts and no more", () => {
  const type = peersType(2);
  assertEquals(type.maybeRead("192.0.2.1 192.0.2.2"), { value: ["192.0.2.1", "192.0.2.2"] });
  for (const text of ["192.0.2.1 192.0.2.2 192.0.2.3", "::1", "0.0.0.0", "web-2"]) {
    assertEquals(type.maybeRead(text), undefined, text);
  }
});

Deno.test("PING_SCOPE takes addresses and prefixes of both families", () => {
  assertEquals(PING_SCOPE.maybeRead("192.0.2.10, 2001:db8::/48"), {
    value: { ipv4: ["192.0.2.10"], ipv6: ["2001:db8::/48"] },
  });
  assertEquals(PING_SCOPE.maybeRead(""), { value: { ipv4: [], ipv6: [] } });
  assertEquals(PING_SCOPE.maybeRead("192.0.2.10/8"), undefined);
});

Deno.test("levelsType() takes two levels, of which the second is not lower", () => {
  const type = levelsType();
  assertEquals(type.maybeRead("70/90"), { value: { warn: 70, drain: 90 } });
  assertEquals(type.maybeRead("0.5 / 0.5"), { value: { warn: 0.5, drain: 0.5 } });
  for (const text of ["70", "90/70", "0/5", "70/", "1/2/3", "70%/90%", "-1/5"]) {
    assertEquals(type.maybeRead(text), undefined, text);
  }
});

Deno.test("MAYBE_DATABASE takes a socket or a port of this host", () => {
  assertEquals(MAYBE_DATABASE.maybeRead("mysql:/run/mysqld/mysqld.sock"), {
    value: { kind: "mysql", at: "/run/mysqld/mysqld.sock" },
  });
  assertEquals(MAYBE_DATABASE.maybeRead("postgresql:5432"), { value: { kind: "postgresql", at: 5432 } });
  assertEquals(MAYBE_DATABASE.maybeRead(""), { value: undefined });
  for (const text of ["mysql:192.0.2.1:3306", "mysql:0", "mysql:65536", "oracle:1521", "mysql:", "3306"]) {
    assertEquals(MAYBE_DATABASE.maybeRead(text), undefined, text);
  }
});
