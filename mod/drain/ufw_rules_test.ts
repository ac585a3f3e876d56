import { assert, assertEquals } from "@std/assert";
import { acceptEcho, countEchoLines, dropEcho, isUfwEnabled, maybeDropsEcho } from "./ufw_rules.ts";

/** Lines of the files that Debian 12 ships. */
const BEFORE = `*filter
:ufw-before-input - [0:0]
# ok icmp codes for INPUT
-A ufw-before-input -p icmp --icmp-type destination-unreachable -j ACCEPT
-A ufw-before-input -p icmp --icmp-type echo-request -j ACCEPT
# -A ufw-before-input -p icmp --icmp-type echo-request -j ACCEPT
# ok icmp code for FORWARD
-A ufw-before-forward -p icmp --icmp-type echo-request -j ACCEPT
COMMIT
`;
const BEFORE6 = `*filter
-A ufw6-before-input -p icmpv6 --icmpv6-type echo-request -j ACCEPT
-A ufw6-before-input -p icmpv6 --icmpv6-type echo-reply -j ACCEPT
-A ufw6-before-output -p icmpv6 --icmpv6-type echo-request -j ACCEPT
-A ufw6-before-forward -p icmpv6 --icmpv6-type echo-request -j ACCEPT
COMMIT
`;

/** The lines that differ, as `diff` counts them. */
function changed(before: string, after: string): readonly string[] {
  const lines = after.split("\n");
  return before.split("\n").flatMap((line, index) => line === lines[index] ? [] : [lines[index] ?? ""]);
}

Deno.test("dropEcho() changes the line of the input chain and no other", () => {
  assertEquals(changed(BEFORE, dropEcho(BEFORE, "ipv4")), [
    "-A ufw-before-input -p icmp --icmp-type echo-request -j DROP",
  ]);
  assertEquals(changed(BEFORE6, dropEcho(BEFORE6, "ipv6")), [
    "-A ufw6-before-input -p icmpv6 --icmpv6-type echo-request -j DROP",
  ]);
  assertEquals(dropEcho(BEFORE6, "ipv4"), BEFORE6);
});

Deno.test("dropEcho() and acceptEcho() are each other's way back, blanks and line ends too", () => {
  for (
    const text of [BEFORE, BEFORE.replaceAll("\n", "\r\n"), BEFORE.replace("ACCEPT\n#", "ACCEPT  \n#"), ""]
  ) {
    const dropped = dropEcho(text, "ipv4");
    assertEquals(dropEcho(dropped, "ipv4"), dropped);
    assertEquals(acceptEcho(dropped, text, "ipv4"), text);
  }
});

Deno.test("acceptEcho() keeps what somebody changed meanwhile, and what was dropped before", () => {
  const extra = "-A ufw-before-input -s 192.0.2.1 -p icmp --icmp-type echo-request -j DROP\n";
  const original = BEFORE.replace("COMMIT", `${extra}COMMIT`);
  const now = dropEcho(original, "ipv4").replace("# ok icmp code for FORWARD", "# another comment");
  assertEquals(
    acceptEcho(now, original, "ipv4"),
    original.replace("# ok icmp code for FORWARD", "# another comment"),
  );
});

Deno.test("countEchoLines() counts lines in force", () => {
  assertEquals(countEchoLines(BEFORE, "ipv4"), { accept: 1, drop: 0 });
  assertEquals(countEchoLines(dropEcho(BEFORE6, "ipv6"), "ipv6"), { accept: 0, drop: 1 });
  assertEquals(countEchoLines("", "ipv4"), { accept: 0, drop: 0 });
});

Deno.test("maybeDropsEcho() reads files and what iptables lists", () => {
  assertEquals(maybeDropsEcho(BEFORE, "ipv4"), false);
  assertEquals(maybeDropsEcho(dropEcho(BEFORE, "ipv4"), "ipv4"), true);
  const listed = "-N ufw-before-input\n-A ufw-before-input -p icmp -m icmp --icmp-type 3 -j ACCEPT\n" +
    "-A ufw-before-input -p icmp -m icmp --icmp-type 8 -j DROP\n";
  assertEquals(maybeDropsEcho(listed, "ipv4"), true);
  const listed6 = "-A ufw6-before-input -p ipv6-icmp -m icmp6 --icmpv6-type 128 -j ACCEPT\n";
  assertEquals(maybeDropsEcho(listed6, "ipv6"), false);
  assertEquals(maybeDropsEcho("", "ipv4"), undefined);
});

Deno.test("isUfwEnabled() reads ufw.conf", () => {
  assert(isUfwEnabled("# x\nENABLED=yes\nLOGLEVEL=low\n"));
  assert(isUfwEnabled('ENABLED="yes"\n'));
  assert(!isUfwEnabled("ENABLED=no\n"));
  assert(!isUfwEnabled("# ENABLED=yes\n"));
  assert(!isUfwEnabled(""));
});
