import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { parsePidCgroup } from "./pid_cgroup.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

Deno.test("parsePidCgroup() reads 668 of c22-pid-cgroup-hybrid", () => {
  const session = "/user.slice/user-1000.slice/session-1.scope";
  assertEquals(parsePidCgroup(fixture("cases/c22-pid-cgroup-hybrid/proc/668/cgroup")), {
    v2Path: session,
    v1Paths: { pids: session, memory: session, cpu: "/", cpuacct: "/", "name=systemd": session },
  });
});

Deno.test("parsePidCgroup() reads 700 of c22-pid-cgroup-hybrid, which has no cpu controller", () => {
  const cgroup = parsePidCgroup(fixture("cases/c22-pid-cgroup-hybrid/proc/700/cgroup"));
  assertEquals(cgroup, { v2Path: "/", v1Paths: { net_cls: "/" } });
  assertEquals(cgroup.v1Paths["cpu"], undefined);
});

Deno.test("parsePidCgroup() finds the v2 line wherever it stands", () => {
  const lines = ["2:cpu:/a", "0::/b", "1:name=systemd:/c"];
  for (const order of [[0, 1, 2], [1, 0, 2], [2, 0, 1]]) {
    const text = order.map((index) => `${lines[index]}\n`).join("");
    assertEquals(parsePidCgroup(text), { v2Path: "/b", v1Paths: { cpu: "/a", "name=systemd": "/c" } });
  }
});

Deno.test("parsePidCgroup() has no v2 path on a host with v1 alone", () => {
  assertEquals(parsePidCgroup("2:cpu:/a\n"), { v2Path: undefined, v1Paths: { cpu: "/a" } });
});

Deno.test("parsePidCgroup() keeps colons, blanks and marks in a path", () => {
  assertEquals(
    parsePidCgroup("0::/a:/b c/../x.service (deleted)\n").v2Path,
    "/a:/b c/../x.service (deleted)",
  );
  assertEquals(
    parsePidCgroup("0::/../../system.slice/cron.service").v2Path,
    "/../../system.slice/cron.service",
  );
});

Deno.test("parsePidCgroup() takes a controller named like an object's member for a name", () => {
  const { v1Paths } = parsePidCgroup("3:__proto__:/a\n");
  assertEquals(Object.entries(v1Paths), [["__proto__", "/a"]]);
});

const REFUSED = [
  { what: "an empty text", text: "\n", says: "is empty" },
  { what: "a line without colons", text: "0::/a\noops\n", says: 'line 2: is "oops"' },
  { what: "a path that does not start at the root", text: "0::a\n", says: 'line 1: is "0::a"' },
  { what: "an id that is no number", text: "x:cpu:/\n", says: "line 1" },
  { what: "an empty line between others", text: "0::/a\n\n1:cpu:/\n", says: 'line 2: is ""' },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parsePidCgroup() refuses ${what}`, () => {
    assertThrows(() => parsePidCgroup(text), ParseError, says);
  });
}

Deno.test("parsePidCgroup() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(fixture("cases/c22-pid-cgroup-hybrid/proc/668/cgroup"), (text) => {
    const { v2Path, v1Paths } = parsePidCgroup(text);
    for (const path of Object.values({ ...v1Paths, v2Path: v2Path ?? "/" })) assertEquals(path[0], "/");
  });
});
