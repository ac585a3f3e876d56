import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { existsSync } from "node:fs";
import { PROJECT } from "../scripts/project_files.ts";
import { testNeeding } from "./needs.ts";
import { inWorld, inWorldOk } from "./world.ts";

const WORLD = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip", "/usr/bin/ps"] as const;

testNeeding(WORLD, "inWorld() gives back the exit code and both outputs", async () => {
  const result = await inWorld("echo a; echo b >&2; exit 3", { bind: false });
  assertEquals(result, { code: 3, stdout: "a\n", stderr: "b\n" });
});

testNeeding(WORLD, "inWorld() lets nothing that is written reach the machine", async () => {
  const marks = ["/etc/loadweir-world", "/root/loadweir-world", "/run/loadweir-world", "/tmp/loadweir-world"];
  const script = `for mark in ${marks.join(" ")}; do echo x > $mark; cat $mark; done; rm /etc/passwd`;
  assertEquals(await inWorldOk(script, { bind: false }), "x\n".repeat(marks.length));
  assertEquals(marks.filter(existsSync), []);
  assert(existsSync("/etc/passwd"));
});

testNeeding(WORLD, "inWorld() keeps the project read-only", async () => {
  const { code, stderr } = await inWorld(`touch ${PROJECT}/deno.json`, { bind: false });
  assertEquals(code, 1);
  assertStringIncludes(stderr, "Read-only file system");
});

testNeeding(
  WORLD,
  "inWorld() keeps kernel settings read-only, except for the network's and the host name",
  async () => {
    const settings = { "vm/swappiness": false, "net/ipv4/ip_default_ttl": true, "kernel/hostname": true };
    for (const [setting, writable] of Object.entries(settings)) {
      const path = `/proc/sys/${setting}`;
      const { code } = await inWorld(`value=$(cat ${path}); echo "$value" > ${path}`, { bind: true });
      assertEquals(code === 0, writable, setting);
    }
  },
);

testNeeding(WORLD, "inWorld() shows processes of the world alone, and no address but loopback", async () => {
  assertEquals(
    await inWorldOk("ps -e -o comm= >/tmp/seen; sort -u /tmp/seen; ip -brief link | cut -d' ' -f1", {
      bind: false,
    }),
    [
      ...["bash", "ps", "timeout"],
      "lo",
      "",
    ].join("\n"),
  );
});

testNeeding(WORLD, "inWorld() has the bind mount only where it is asked for, and read-only", async () => {
  const script = "cat /run/loadweir/proc/loadavg && echo 1 > /run/loadweir/proc/sys/vm/drop_caches";
  const bound = await inWorld(script, { bind: true });
  assert(/^\d+\.\d\d \d+\.\d\d /.test(bound.stdout), bound.stdout);
  assertStringIncludes(bound.stderr, "Read-only file system");
  assertStringIncludes((await inWorld(script, { bind: false })).stderr, "No such file or directory");
});

testNeeding(WORLD, "inWorld() stops at the first command that fails", async () => {
  assertEquals(await inWorld("false | true; echo not reached", { bind: false }), {
    code: 1,
    stdout: "",
    stderr: "exit 1: true\n",
  });
});

testNeeding(WORLD, "inWorld() tells a script whose own process was killed from a late one", async () => {
  assertEquals((await inWorld("kill -KILL $$", { bind: false })).code, 137);
});

testNeeding(WORLD, "inWorld() kills a late script with all that it started", async () => {
  const error = await assertRejects(
    () => inWorld("echo started; setsid sleep 60 & sleep 60", { bind: false, deadlineMs: 300 }),
    Error,
    "still running after",
  );
  assertStringIncludes(error.message, "started");
});
