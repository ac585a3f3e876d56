import { assertEquals, assertMatch } from "@std/assert";
import { createLineLog } from "./line_log.ts";

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("createLineLog() appends in order, for root and its group alone", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/incident.log`;
    Deno.writeTextFileSync(path, "old\n", { mode: 0o640 });
    const log = createLineLog(path);
    const outcomes = await Promise.all([log.append(["a", "b"]), log.append([]), log.append(["c"])]);
    assertEquals(outcomes, [{ kind: "ok" }, { kind: "ok" }, { kind: "ok" }]);
    assertEquals(Deno.readTextFileSync(path), "old\na\nb\nc\n");
    const made = createLineLog(`${folder}/new.log`);
    await made.append(["x"]);
    assertEquals((Deno.statSync(`${folder}/new.log`).mode ?? 0) & 0o137, 0);
  });
});

Deno.test("createLineLog() goes on in a new file when the log was rotated", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/incident.log`;
    const log = createLineLog(path);
    await log.append(["before"]);
    Deno.renameSync(path, `${path}.1`);
    await log.append(["after"]);
    assertEquals(Deno.readTextFileSync(path), "after\n");
  });
});

Deno.test("createLineLog() says what is wrong with a full disk or a file in the place of its folder", async () => {
  assertEquals(await createLineLog("/dev/full").append(["a"]), {
    kind: "failed",
    error: "Cannot write /dev/full: no space left on its file system, make room there",
  });
  const outcome = await createLineLog("/dev/null/x.log").append(["a"]);
  assertMatch(
    outcome.kind === "failed" ? outcome.error : "",
    /^Cannot write \/dev\/null\/x\.log: its folder is no folder/,
  );
});

Deno.test("createLineLog() loses lines rather than memory where the disk does not answer", async () => {
  await withFolder(async (folder) => {
    // A pipe that somebody holds open and nobody reads: writing more than fits in waits, as for a dead disk.
    const pipe = `${folder}/pipe`;
    const script = 'mkfifo "$1"; exec 3<>"$1"; echo ready; read -r _; exec head -n 1000 <&3';
    const holder = new Deno.Command("/bin/bash", {
      args: ["-c", script, "holder", pipe],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const output = holder.stdout.getReader();
    await output.read();
    const log = createLineLog(pipe);
    const first = log.append(["x".repeat(200_000)]);
    const waiting = log.append(Array.from({ length: 999 }, (_, index) => String(index)));
    const lost = await log.append(["lost"]);
    assertMatch(lost.kind === "failed" ? lost.error : "", /does not answer, lines are lost$/);
    const writer = holder.stdin.getWriter();
    await writer.write(new TextEncoder().encode("go\n"));
    await writer.close();
    let text = "";
    for (let part = await output.read(); !part.done; part = await output.read()) {
      text += new TextDecoder().decode(part.value);
    }
    assertEquals([await first, await waiting], [{ kind: "ok" }, { kind: "ok" }]);
    assertEquals(text.split("\n").slice(1, 3), ["0", "1"]);
    await holder.status;
  });
});

Deno.test("createLineLog() reads the last lines, however long the log is", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/incident.log`;
    const log = createLineLog(path);
    assertEquals(await log.tail(200), []);
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} ü`);
    Deno.writeTextFileSync(path, `${lines.join("\n")}\n`);
    assertEquals(await log.tail(200), lines.slice(-200));
    assertEquals(await log.tail(1), ["line 49999 ü"]);
    Deno.writeTextFileSync(path, "only\nhalf");
    assertEquals(await log.tail(200), ["only", "half"]);
    Deno.writeTextFileSync(path, "x".repeat(1_000_000));
    assertEquals(await log.tail(200), [], "one line that is longer than what is read");
  });
});

Deno.test("createLineLog() makes its folder, and begins a new line after one that was cut", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/log/incident.log`;
    assertEquals(await createLineLog(path).append(["a"]), { kind: "ok" });
    Deno.writeTextFileSync(path, "cut", { append: true });
    assertEquals(await createLineLog(path).append(["b"]), { kind: "ok" });
    assertEquals(await createLineLog(path).append(["c"]), { kind: "ok" });
    assertEquals(Deno.readTextFileSync(path), "a\ncut\nb\nc\n");
  });
});
