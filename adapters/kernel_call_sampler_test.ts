import { assert, assertEquals } from "@std/assert";
import { ok } from "../mod/reading.ts";
import { systemClock } from "./clock.ts";
import type { CommandResult, RunCommand } from "./command.ts";
import { createKernelCallSampler } from "./kernel_call_sampler.ts";
import { createProcessReader } from "./process_reader.ts";
import type { Sampler } from "./sampler.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;
const PATTERNS = { engines: ["duplicity"], orchestrators: [] };

const RAN: CommandResult = { code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 1 };

/** A sampler whose `ps` and `vmstat` end like this. */
function samplerWith(
  ends: { readonly ps: Partial<CommandResult>; readonly vmstat: Partial<CommandResult> },
): Sampler {
  const run: RunCommand = (program) =>
    Promise.resolve({ ...RAN, ...(program.endsWith("vmstat") ? ends.vmstat : ends.ps) });
  const processes = createProcessReader({ kind: "kernel-calls", name: "kernel-calls" }, run);
  return createKernelCallSampler({
    clock: systemClock,
    run,
    processes,
    backups: { patterns: PATTERNS, markerPath: undefined },
  });
}

const VMSTAT = Deno.readTextFileSync(`${FIXTURES}vmstat/quiet_4.0.2`);

Deno.test("take() reads a load and the CPUs from the runtime, without a fork on a quiet pass", async () => {
  const none: RunCommand = () => Promise.reject(new Error("a quiet pass started a program"));
  const processes = createProcessReader({ kind: "kernel-calls", name: "kernel-calls" }, none);
  const sampler = createKernelCallSampler({
    clock: systemClock,
    run: none,
    processes,
    backups: { patterns: PATTERNS, markerPath: undefined },
  });
  const { load } = await sampler.take("load");
  assert(load.kind === "ok" && load.value.load1Hundredths >= 0);
  assertEquals(load.value.cpuCount, Deno.readTextFileSync("/proc/stat").match(/^cpu\d+ /gm)?.length);
  assertEquals(load.value.line, undefined, "without a proc root there is no line to tell a frozen one by");
});

Deno.test("take() reads the gate from ps and vmstat", async () => {
  const { gate } = await samplerWith({ ps: { code: 1, stderr: "no" }, vmstat: { stdout: VMSTAT } }).take(
    "gate",
  );
  assertEquals(gate?.iowaitPercent.kind, "ok");
  assertEquals(gate?.backups.kind, "failed");
});

Deno.test("take() knows nothing where ps and vmstat are missing or hang, and says so", async () => {
  const missing = { code: 127, stderr: "No such file or directory" };
  const { gate } = await samplerWith({ ps: missing, vmstat: missing }).take("gate");
  assertEquals([gate?.backups.kind, gate?.iowaitPercent.kind, gate?.runnableTasks.kind], [
    "failed",
    "failed",
    "failed",
  ]);
  const hanging = { code: 137, timedOut: true };
  const late = await samplerWith({ ps: hanging, vmstat: hanging }).take("gate");
  assertEquals(
    late.gate?.iowaitPercent,
    { kind: "failed", error: '"/usr/bin/vmstat" did not end within 4000 ms' },
  );
});

Deno.test("take() does not count vmstat itself as runnable", async () => {
  const row = VMSTAT.trimEnd().split("\n").at(-1)?.trim().split(/ +/) ?? [];
  const { gate } = await samplerWith({ ps: {}, vmstat: { stdout: VMSTAT } }).take("gate");
  assertEquals(gate?.runnableTasks, ok(Math.max(0, Number(row[0]) - 1)));
});
