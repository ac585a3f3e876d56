import { assertEquals } from "@std/assert";
import { ok } from "../mod/reading.ts";
import { readRunningBackups } from "./backup_watch.ts";
import { runCommand } from "./command.ts";
import { createProcessReader, type ProcessReader } from "./process_reader.ts";

const CASES = new URL("../fixtures/cases/", import.meta.url).pathname;
const PATTERNS = { engines: ["mydumper", "duplicity"], orchestrators: ["backboa", "mysql_backup.sh"] };

function readerOf(root: string): ProcessReader {
  return createProcessReader({ kind: "proc-root", root, name: "procfs-flag" }, runCommand);
}

/** Writes a marker with this text and reads the backups of a case beside it. */
async function withMarker(text: string, caseName: string): Promise<unknown> {
  const markerPath = Deno.makeTempFileSync();
  Deno.writeTextFileSync(markerPath, text);
  const reading = await readRunningBackups(readerOf(`${CASES}${caseName}/proc`), {
    patterns: PATTERNS,
    markerPath,
  });
  Deno.removeSync(markerPath);
  return reading.kind === "ok" ? reading.value.map((name) => name.replace(markerPath, "MARKER")) : reading;
}

Deno.test("readRunningBackups() names what runs, through interpreters", async () => {
  const reading = await readRunningBackups(readerOf(`${CASES}c31-duplicity-shebang-absolute/proc`), {
    patterns: PATTERNS,
    markerPath: undefined,
  });
  assertEquals(reading, ok(["backboa (pid 4405)", "duplicity (pid 4427)", "duplicity (pid 4430)"]));
});

Deno.test("readRunningBackups() believes a marker only while its process lives", async () => {
  assertEquals(await withMarker("700\n", "c29-zombie-php"), ["MARKER (pid 700)"]);
  assertEquals(await withMarker("2001\n", "c29-zombie-php"), [], "a zombie runs no backup");
  assertEquals(await withMarker("31337\n", "c29-zombie-php"), [], "left behind");
  for (const text of ["", "soon\n", "-700\n", "700 701\n"]) {
    assertEquals(await withMarker(text, "c29-zombie-php"), []);
  }
});

Deno.test("readRunningBackups() does not know where the processes cannot be listed", async () => {
  const reading = await readRunningBackups(readerOf("/nonexistent"), {
    patterns: PATTERNS,
    markerPath: undefined,
  });
  assertEquals(reading.kind, "failed");
});
