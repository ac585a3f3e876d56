import { assertEquals } from "@std/assert";
import { maybeValue, ok, type Reading, whyMissing } from "../../mod/reading.ts";
import { type AddedLines, createAccessTail, LOOK_LIMIT_BYTES } from "./access_tail.ts";

/** A folder with a log of one line, read up to its end. */
async function withLog(
  test: (log: string, read: () => Promise<Reading<AddedLines>>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const log = `${folder}/access.log`;
    await Deno.writeTextFile(log, "before\n");
    const { readNew } = createAccessTail(log);
    assertEquals(await readNew(), ok({ lines: [], skippedBytes: 0 }));
    await test(log, readNew);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function append(path: string, text: string): Promise<void> {
  return Deno.writeTextFile(path, text, { append: true });
}

function lines(...found: string[]): Reading<AddedLines> {
  return ok({ lines: found, skippedBytes: 0 });
}

Deno.test("createAccessTail() reads what was added, by whole lines", () =>
  withLog(async (log, read) => {
    await append(log, "one\ntw");
    assertEquals(await read(), lines("one"));
    assertEquals(await read(), lines());
    await append(log, "o");
    assertEquals(await read(), lines());
    await append(log, "\nthree\n");
    assertEquals(await read(), lines("two", "three"));
  }));

Deno.test("createAccessTail() goes over to the new file when the log is rotated", () =>
  withLog(async (log, read) => {
    await append(log, "cut");
    assertEquals(await read(), lines());
    await Deno.rename(log, `${log}.1`);
    assertEquals(whyMissing(await read()), `there is no ${log}`);
    await Deno.writeTextFile(log, "new, and longer than the one before\n");
    assertEquals(await read(), lines("new, and longer than the one before"));
  }));

Deno.test("createAccessTail() goes over to a new file that is there at once", () =>
  withLog(async (log, read) => {
    await Deno.rename(log, `${log}.1`);
    await Deno.writeTextFile(log, "new, and longer than the one before\n");
    assertEquals(await read(), lines("new, and longer than the one before"));
  }));

Deno.test("createAccessTail() begins anew when the log is emptied, as copytruncate does", () =>
  withLog(async (log, read) => {
    await Deno.truncate(log);
    assertEquals(await read(), lines());
    await append(log, "new\n");
    assertEquals(await read(), lines("new"));
  }));

Deno.test("createAccessTail() passes over what is too much for one look, and says how much", () =>
  withLog(async (log, read) => {
    const line = `${"x".repeat(99)}\n`;
    await append(log, "begin ");
    assertEquals(await read(), lines());
    await append(log, line.repeat(30_000));
    const { lines: found, skippedBytes } = maybeValue(await read()) ?? { lines: [], skippedBytes: 0 };
    assertEquals(skippedBytes, 3_000_000 - LOOK_LIMIT_BYTES);
    assertEquals(found.length, Math.floor(LOOK_LIMIT_BYTES / 100));
    assertEquals(new Set(found), new Set([line.trim()]));
    await append(log, "after\n");
    assertEquals(await read(), lines("after"));
  }));

Deno.test("createAccessTail() does not gather a line that never ends", () =>
  withLog(async (log, read) => {
    for (let times = 0; times < 3; times++) {
      await append(log, "x".repeat(60_000));
      assertEquals(await read(), lines());
    }
    await append(log, "\nafter\n");
    assertEquals((maybeValue(await read())?.lines ?? []).at(-1), "after");
  }));

Deno.test("createAccessTail() does not open a named pipe, and reads a log that comes later from its beginning", () =>
  withLog(async (log, read) => {
    await Deno.remove(log);
    await new Deno.Command("mkfifo", { args: [log] }).output();
    assertEquals(whyMissing(await read()), `Cannot read ${log}: not a regular file`);
    await Deno.remove(log);
    assertEquals(whyMissing(await read()), `there is no ${log}`);
    await Deno.writeTextFile(log, "first\n");
    assertEquals(await read(), lines("first"));
  }));
