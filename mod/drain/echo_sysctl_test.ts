import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { parseEchoIgnored, sysctlPath, writeArguments } from "./echo_sysctl.ts";

Deno.test("parseEchoIgnored() takes any number but 0 as a yes", () => {
  assertEquals(["0\n", "1\n", "2"].map((text) => parseEchoIgnored(text, "x")), [false, true, true]);
});

for (const text of ["", "\n", "yes", "-1", "1 0", "0x1"]) {
  Deno.test(`parseEchoIgnored() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseEchoIgnored(text, "/proc/sys/x"), ParseError, 'Cannot parse "/proc/sys/x"');
  });
}

Deno.test("sysctlPath() and writeArguments() name the switches of both families", () => {
  assertEquals(sysctlPath("ipv4"), "sys/net/ipv4/icmp_echo_ignore_all");
  assertEquals(sysctlPath("ipv6"), "sys/net/ipv6/icmp/echo_ignore_all");
  assertEquals(writeArguments(["ipv6"], false), ["-w", "net.ipv6.icmp.echo_ignore_all=0"]);
});
