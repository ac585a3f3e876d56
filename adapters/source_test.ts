import { assertEquals, assertThrows } from "@std/assert";
import { chooseSource, describeSource, ProcRootError } from "./source.ts";

const QUIET = new URL("../fixtures/proc/6.1_quiet_web_host", import.meta.url).pathname;

Deno.test("chooseSource() takes the folder of the command line before the configured one", () => {
  const { source, notes } = chooseSource(QUIET, "/elsewhere");
  assertEquals([describeSource(source), notes], [`${QUIET} (--procfs)`, []]);
});

Deno.test("chooseSource() refuses a folder of the command line that is no proc root", () => {
  const empty = Deno.makeTempDirSync();
  assertThrows(() => chooseSource(empty, undefined), ProcRootError, `there is no ${empty}/loadavg`);
  Deno.writeTextFileSync(`${empty}/loadavg`, "garbage\n");
  assertThrows(() => chooseSource(empty, undefined), ProcRootError, 'is "garbage", expected a line like');
  Deno.removeSync(empty, { recursive: true });
});

Deno.test("chooseSource() passes over a configured folder that is no proc root, and says so", () => {
  const { source, notes } = chooseSource(undefined, "/nonexistent");
  assertEquals(source.name !== "procfs-config", true);
  assertEquals(notes.length, 1);
  assertEquals(notes[0]?.startsWith("Cannot use [agent] procfs = /nonexistent: there is no"), true, notes[0]);
});

Deno.test("chooseSource() takes the configured folder", () => {
  const { source } = chooseSource(undefined, QUIET);
  assertEquals(source, { kind: "proc-root", root: QUIET, name: "procfs-config" });
});
