import { assertEquals } from "@std/assert";
import { maybeValue } from "../../mod/reading.ts";
import { type LogTail, tailLog } from "./log_tail.ts";

/** Runs a test on a log that holds one line. */
async function withLog(
  test: (path: string, readNew: () => string | undefined) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/error.log`;
  await Deno.writeTextFile(path, "old\n");
  const log: LogTail = tailLog(path);
  try {
    await test(path, () => maybeValue(log.readNew()));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const APPEND = { append: true };

Deno.test("tailLog() gives what is added, whole lines, once", async () => {
  await withLog((path, readNew) => {
    assertEquals(readNew(), "");
    Deno.writeTextFileSync(path, "a\nb", APPEND);
    assertEquals(readNew(), "a\n");
    Deno.writeTextFileSync(path, "c\n", APPEND);
    assertEquals(readNew(), "bc\n");
    assertEquals(readNew(), "");
  });
});

Deno.test("tailLog() follows a log that is rotated or emptied", async () => {
  await withLog((path, readNew) => {
    Deno.renameSync(path, `${path}.1`);
    Deno.writeTextFileSync(path, "rotated\n");
    assertEquals(readNew(), "rotated\n");
    Deno.writeTextFileSync(path, "new\n");
    assertEquals(readNew(), "new\n");
  });
});

Deno.test("tailLog() reads a log that appears later, and says that it is not there", async () => {
  await withLog((path) => {
    const log = tailLog(`${path}.later`);
    assertEquals(log.readNew(), { kind: "absent", reason: `there is no ${path}.later` });
    Deno.writeTextFileSync(`${path}.later`, "first\n");
    assertEquals(log.readNew(), { kind: "ok", value: "first\n" });
  });
});

Deno.test("tailLog() keeps up with a storm, 8 MiB at a time", async () => {
  await withLog((path, readNew) => {
    const line = `${"x".repeat(1023)}\n`;
    Deno.writeTextFileSync(path, line.repeat(9 * 1024), APPEND);
    assertEquals([readNew()?.length, readNew()?.length, readNew()?.length], [8 << 20, 1 << 20, 0]);
  });
});

Deno.test("tailLog() never waits for a pipe", async () => {
  await withLog(async (path) => {
    await new Deno.Command("mkfifo", { args: [`${path}.pipe`] }).output();
    assertEquals(tailLog(`${path}.pipe`).readNew(), {
      kind: "failed",
      error: `Cannot read ${path}.pipe: not a regular file`,
    });
  });
});
