import { assert, assertEquals, assertRejects } from "@std/assert";
import { runTool, runToolOk, ToolError, withoutBacktrace } from "./run_tool.ts";

Deno.test("runTool() gives back the exit code and both outputs", async () => {
  const result = await runTool("/bin/sh", { args: ["-c", "echo a; echo b >&2; exit 3"], deadlineMs: 10_000 });
  assertEquals(result, { code: 3, stdout: "a\n", stderr: "b\n" });
});

Deno.test("runTool() gives the tool the named environment alone", async () => {
  const result = await runTool("/usr/bin/env", { args: [], env: { A: "1" }, deadlineMs: 10_000 });
  assertEquals(result.stdout, "A=1\n");
});

Deno.test("runTool() kills a late tool with all that it started and that holds its pipes", async () => {
  const startedAt = performance.now();
  await assertRejects(
    () => runTool("/bin/sh", { args: ["-c", "sleep 30 & sleep 30"], deadlineMs: 100 }),
    ToolError,
    "still running after 100 ms, killed",
  );
  assert(performance.now() - startedAt < 10_000, "did not wait for the grandchild");
});

Deno.test("runTool() says which tool cannot be started", async () => {
  await assertRejects(
    () => runTool("/nonexistent/tool", { args: ["x"], deadlineMs: 1000 }),
    ToolError,
    'Cannot start "tool x": ',
  );
});

Deno.test("runToolOk() cuts a long command line", async () => {
  const run = (): Promise<string> => runToolOk("/bin/false", { args: ["x".repeat(500)], deadlineMs: 10_000 });
  const { message } = await assertRejects(run, ToolError);
  assert(message.length < 200, message);
});

Deno.test("runToolOk() throws with what a failing tool said", async () => {
  const run = (): Promise<string> =>
    runToolOk("/bin/sh", { args: ["-c", "echo no such thing >&2; exit 4"], deadlineMs: 10_000 });
  await assertRejects(run, ToolError, "exited 4: no such thing");
});

Deno.test("withoutBacktrace() keeps everything else that was said", () => {
  const text =
    "error: bad\n\nStack backtrace:\n   0: <unknown>\n   1: __libc_start_main\n             at ./csu/x.c:3\n";
  assertEquals(withoutBacktrace(`${text}after\n`), "error: bad\nafter\n");
  assertEquals(withoutBacktrace("error: Stack backtrace: none\n"), "error: Stack backtrace: none\n");
});
