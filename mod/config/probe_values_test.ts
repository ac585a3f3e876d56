import { assertEquals } from "@std/assert";
import { ipAddressesType, levelsType, MAYBE_DATABASE, MAYBE_IP_ADDRESS } from "./probe_values.ts";

const ADDRESSES = {
  good: [
    "127.0.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "2001:db8:0:0:0:0:0:1",
    "1::2:3",
    "1::",
  ],
  bad: [
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
    ":1",
    "1:",
    "12345::",
    "g::1",
    "fe80::1%eth0",
    "127.0.0.1:80",
    "10.0.0.0/8",
    " ",
  ],
};

Deno.test("MAYBE_IP_ADDRESS takes addresses as they stand, and no names", () => {
  for (const text of ADDRESSES.good) assertEquals(MAYBE_IP_ADDRESS.maybeRead(text), { value: text });
  for (const text of ADDRESSES.bad) assertEquals(MAYBE_IP_ADDRESS.maybeRead(text), undefined, text);
  assertEquals(MAYBE_IP_ADDRESS.maybeRead("2001:DB8::1"), { value: "2001:db8::1" });
  assertEquals(MAYBE_IP_ADDRESS.maybeRead(""), { value: "" });
});

Deno.test("ipAddressesType() takes so many addresses and no more", () => {
  const type = ipAddressesType(2);
  assertEquals(type.maybeRead("192.0.2.1, ::1"), { value: ["192.0.2.1", "::1"] });
  assertEquals(type.maybeRead(""), { value: [] });
  assertEquals(type.maybeRead("192.0.2.1 ::1 ::2"), undefined);
  assertEquals(type.maybeRead("192.0.2.1, www.example.org"), undefined);
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
