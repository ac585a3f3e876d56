import { assertEquals } from "@std/assert";
import { absent, failed } from "../mod/reading.ts";
import { BUSY_GATE, sampleAt } from "../mod/testing/climb.ts";
import { openDiagnostics } from "./diagnostics.ts";
import { tellMissing } from "./sensor_notices.ts";

Deno.test("openDiagnostics() tells lines as they are, and LogTape nothing of its own", async () => {
  const lines: string[] = [];
  const diagnostics = await openDiagnostics((line) => lines.push(line));
  diagnostics.tell('Cannot read "/srv/{name}": {line}');
  assertEquals(lines, ['loadweir: Cannot read "/srv/{name}": {line}']);
});

Deno.test("tellMissing() tells a failing sensor once, and its return", async () => {
  const lines: string[] = [];
  const diagnostics = await openDiagnostics((line) => lines.push(line));
  const blind = sampleAt(0, undefined);
  for (const sample of [sampleAt(0, 20), blind, blind, blind, sampleAt(0, 20), sampleAt(0, 20)]) {
    tellMissing(sample, diagnostics);
  }
  assertEquals(lines, ["loadweir: gone", "loadweir: load: well again"]);
});

Deno.test("tellMissing() gives one notice for a kernel without PSI, however long it runs", async () => {
  const lines: string[] = [];
  const diagnostics = await openDiagnostics((line) => lines.push(line));
  const why = 'Cannot read "/proc/pressure/cpu": not supported by this kernel';
  const gate = { ...BUSY_GATE, psiCpuPercent: absent(why), psiIoPercent: absent("the same for io") };
  for (let pass = 0; pass < 100; pass++) tellMissing(sampleAt(pass, 700, gate), diagnostics);
  assertEquals(lines, [`loadweir: ${why}`]);
});

Deno.test("tellMissing() tells again when the reason changes", async () => {
  const lines: string[] = [];
  const diagnostics = await openDiagnostics((line) => lines.push(line));
  for (const why of ["ps is missing", "ps hangs", "ps hangs"]) {
    tellMissing(sampleAt(0, 700, { ...BUSY_GATE, backups: failed(why) }), diagnostics);
  }
  assertEquals(lines, ["loadweir: ps is missing", "loadweir: ps hangs"]);
});
