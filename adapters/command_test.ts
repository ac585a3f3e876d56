import { assert, assertEquals, assertMatch } from "@std/assert";
import { runCommand } from "./command.ts";

Deno.test("runCommand() gives exit code, output and errors of a program", async () => {
  const result = await runCommand("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"], { deadlineMs: 5_000 });
  assertEquals({ ...result, tookMs: 0 }, {
    code: 3,
    stdout: "out\n",
    stderr: "err\n",
    timedOut: false,
    tookMs: 0,
  });
});

Deno.test("runCommand() feeds standard input", async () => {
  const result = await runCommand("/bin/cat", [], { deadlineMs: 5_000, stdin: '{"a":1}' });
  assertEquals(result.stdout, '{"a":1}');
});

Deno.test("runCommand() shows nothing of the caller's environment", async () => {
  Deno.env.set("LOADWEIR_SECRET", "x");
  const result = await runCommand("/usr/bin/env", [], { deadlineMs: 5_000 });
  Deno.env.delete("LOADWEIR_SECRET");
  assertEquals(result.stdout.trim().split("\n").sort(), ["LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]);
});

Deno.test("runCommand() says that a program is missing", async () => {
  const result = await runCommand("/nonexistent/program", [], { deadlineMs: 5_000 });
  assertEquals(result.code, 127);
  assertMatch(result.stderr, /No such file/);
});

Deno.test("runCommand() does not wait for a daemon that holds the pipes, and leaves it alone", async () => {
  const result = await runCommand("/bin/sh", ["-c", "sleep 300 & echo $!"], { deadlineMs: 30_000 });
  const daemon = Number(result.stdout);
  assertEquals([result.code, result.timedOut], [0, false]);
  assert(result.tookMs < 5_000, "it waited for the daemon");
  Deno.kill(daemon, "SIGKILL");
  await untilGone(daemon);
});

Deno.test("runCommand() keeps reading past the limit, so that the program can end", async () => {
  const result = await runCommand("/usr/bin/head", ["-c", "20000000", "/dev/zero"], { deadlineMs: 10_000 });
  assertEquals([result.code, result.stdout.length], [0, 8 * 1024 * 1024]);
});

Deno.test({
  name: "runCommand() ends a whole group at its deadline, also grandchildren that hold the pipes",
  // Nobody waits for the program that kills, nor for what it kills: they may end in a test that came after.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const script = "sleep 300 & echo $!; sleep 300";
    const startedMs = performance.now();
    // Long enough for the shell to have begun, however busy the machine is.
    const result = await runCommand("/bin/sh", ["-c", script], { deadlineMs: 3_000 });
    assert(result.timedOut);
    assert(performance.now() - startedMs < 60_000, "the deadline did not end the wait");
    const grandchild = Number(result.stdout);
    assert(grandchild > 1, "the script printed no pid");
    await untilGone(grandchild);
  },
});

async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    const state = await Deno.readTextFile(`/proc/${pid}/stat`).then(
      (text) => text.split(") ")[1]?.[0],
      () => "gone",
    );
    if (state === "gone" || state === "Z") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`process ${pid} is still there`);
}
