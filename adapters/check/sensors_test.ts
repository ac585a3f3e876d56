import { assertEquals } from "@std/assert";
import type { ProcessTable } from "../../mod/processes/process.ts";
import { failed, ok } from "../../mod/reading.ts";
import { GOOD_HOST } from "../../mod/testing/check.ts";
import { aProcess, aTable } from "../../mod/testing/process.ts";
import type { SourceChoice } from "../source.ts";
import { lookAtSensors } from "./sensors.ts";
import { makeTempHost } from "./temp_host.ts";

const { sample } = GOOD_HOST.sensors;

const PROC: SourceChoice = { source: { kind: "proc-root", root: "/proc", name: "proc" }, notes: ["a note"] };
const NO_PROC: SourceChoice = { source: { kind: "kernel-calls", name: "kernel-calls" }, notes: [] };

const CONTAINER = aTable([aProcess(1, "init", { ppid: 0, threadCount: 5 }), aProcess(9, "nginx")], {
  selfPid: 9,
});
const MACHINE: ProcessTable = {
  ...CONTAINER,
  processes: [...CONTAINER.processes, aProcess(2, "kthreadd", { ppid: 0, isKernelThread: true })],
};

const LXC = { "/run/systemd/container": "lxc\n", "/proc/loadavg": "1.00 1.00 1.00 2/812 99\n" };

Deno.test("lookAtSensors() recognises the load of a host around a container", async () => {
  await using host = await makeTempHost(LXC);
  const { container, processes, notes, procRoot } = lookAtSensors(PROC, sample, ok(CONTAINER), host.files);
  assertEquals([processes, notes, procRoot], [ok(2), ["a note"], "/proc"]);
  assertEquals(container, {
    kind: "lxc",
    hostLoad: "the kernel counts 812 tasks, and only 6 threads are in this container",
  });
});

Deno.test("lookAtSensors() believes a load average that was made for the container", async () => {
  await using host = await makeTempHost({ ...LXC, "/proc/loadavg": "1.00 1.00 1.00 2/6 99\n" });
  assertEquals(lookAtSensors(PROC, sample, ok(CONTAINER), host.files).container, {
    kind: "lxc",
    hostLoad: undefined,
  });
});

Deno.test("lookAtSensors() takes no machine for a container, whatever marks it bears", async () => {
  await using host = await makeTempHost({ ...LXC, "/.dockerenv": "" });
  const none = { kind: undefined, hostLoad: undefined };
  assertEquals(lookAtSensors(PROC, sample, ok(MACHINE), host.files).container, none);
  assertEquals(lookAtSensors(NO_PROC, sample, ok(MACHINE), host.files).container, none);
});

Deno.test("lookAtSensors() says nothing of a machine that was recorded elsewhere", async () => {
  await using host = await makeTempHost(LXC);
  const table = { ...CONTAINER, selfPid: undefined };
  assertEquals(lookAtSensors(PROC, sample, ok(table), host.files).container, {
    kind: undefined,
    hostLoad: undefined,
  });
});

for (
  const [path, text, kind] of [
    ["/run/systemd/container", "systemd-nspawn", "systemd-nspawn"],
    ["/run/.containerenv", "", "podman"],
    ["/.dockerenv", "", "docker"],
  ] as const
) {
  Deno.test(`lookAtSensors() knows a container by ${path}, also without processes`, async () => {
    await using host = await makeTempHost({ [path]: text });
    const { container } = lookAtSensors(NO_PROC, sample, failed("no ps"), host.files);
    assertEquals(container, {
      kind,
      hostLoad: `this is a container (${kind}), and sysinfo(2) tells the load of the whole machine`,
    });
  });
}

Deno.test("lookAtSensors() shows a limit of the CPUs where a proc root lets it be seen", async () => {
  await using host = await makeTempHost({ "/proc/self/root/sys/fs/cgroup/cpu.max": "50000 100000\n" });
  assertEquals(lookAtSensors(PROC, sample, ok(MACHINE), host.files).cpuLimit, { cpus: 0.5, cgroup: "/" });
  assertEquals(lookAtSensors(NO_PROC, sample, ok(MACHINE), host.files).cpuLimit, undefined);
});
