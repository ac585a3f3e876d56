import { assertEquals } from "@std/assert";
import type { ProcessGroup } from "../../mod/pressure/sample.ts";
import { createHostFiles } from "../check/host_files.ts";
import { type AllowedCpus, createAllowedCpus } from "./allowed_cpus.ts";
import { type TempProc, tempProc } from "./temp_proc.ts";

const HOST_COUNT = 8;

function groupOf(...pids: readonly number[]): ProcessGroup {
  return pids.map((pid) => ({ pid, ppid: 1, startTicks: pid, cpuTicks: 0, reapedTicks: 0, rssKib: 1 }));
}

/** A look whose clock the test sets. */
function lookAt({ root }: TempProc): AllowedCpus & { readonly setMs: (ms: number) => void } {
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  return { ...createAllowedCpus({ root, host: createHostFiles(), clock }), setMs: (ms) => void (nowMs = ms) };
}

Deno.test("of() gives the lowest limit of the cgroups on the way", async () => {
  await using proc = await tempProc();
  const folder = "self/root/sys/fs/cgroup/system.slice";
  proc.write(`${folder}/cpu.max`, "150000 100000\n");
  proc.write(`${folder}/web.service/cpu.max`, "max 100000\n");
  proc.put(20, { comm: "web", cgroup: "/system.slice/web.service" });
  assertEquals(lookAt(proc).of("web", groupOf(20), HOST_COUNT), 1.5);
  proc.write(`${folder}/web.service/cpu.max`, "50000 100000\n");
  assertEquals(lookAt(proc).of("web", groupOf(20), HOST_COUNT), 0.5);
});

Deno.test("of() adds up the limits of several cgroups, and knows that one without a limit has none", async () => {
  await using proc = await tempProc();
  const folder = "self/root/sys/fs/cgroup";
  proc.write(`${folder}/a.service/cpu.max`, "50000 100000\n");
  proc.write(`${folder}/b.service/cpu.max`, "25000 100000\n");
  for (
    const [pid, cgroup] of [[20, "/a.service"], [21, "/a.service"], [22, "/b.service"], [23, "/c"]] as const
  ) {
    proc.put(pid, { comm: "web", cgroup });
  }
  assertEquals(lookAt(proc).of("web", groupOf(20, 21, 22), HOST_COUNT), 0.75);
  assertEquals(lookAt(proc).of("web", groupOf(20, 21, 23), HOST_COUNT), HOST_COUNT);
});

Deno.test("of() reads the limits of cgroup v1", async () => {
  await using proc = await tempProc();
  const folder = "self/root/sys/fs/cgroup/cpu,cpuacct/shop";
  proc.write(`${folder}/cpu.cfs_quota_us`, "200000\n");
  proc.write(`${folder}/cpu.cfs_period_us`, "100000\n");
  proc.put(20, { comm: "web" });
  proc.write("20/cgroup", "4:cpu,cpuacct:/shop\n1:name=systemd:/\n");
  assertEquals(lookAt(proc).of("web", groupOf(20), HOST_COUNT), 2);
});

Deno.test("of() counts the CPUs that the processes are bound to together, and no more than the host has", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "web", cpus: "0" });
  proc.put(21, { comm: "web", cpus: "0-1" });
  proc.put(22, { comm: "web", cpus: "4,6" });
  assertEquals(lookAt(proc).of("web", groupOf(20), HOST_COUNT), 1);
  assertEquals(lookAt(proc).of("web", groupOf(20, 21, 22), HOST_COUNT), 4);
  proc.put(23, { comm: "web", cpus: "0-1023" });
  assertEquals(lookAt(proc).of("web", groupOf(23), HOST_COUNT), HOST_COUNT);
});

Deno.test("of() looks again after 30 s, and keeps what it knew while nothing runs", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "web", cpus: "0" });
  const look = lookAt(proc);
  assertEquals(look.of("web", groupOf(), HOST_COUNT), undefined);
  assertEquals(look.of("web", groupOf(20), HOST_COUNT), 1);
  proc.put(20, { comm: "web", cpus: "0-3" });
  look.setMs(29_000);
  assertEquals(look.of("web", groupOf(20), HOST_COUNT), 1);
  look.setMs(31_000);
  assertEquals(look.of("web", groupOf(), HOST_COUNT), 1);
  assertEquals(look.of("web", groupOf(20), HOST_COUNT), 4);
});

Deno.test("of() asks at once again where nothing could be told", async () => {
  await using proc = await tempProc();
  const look = lookAt(proc);
  assertEquals(look.of("web", groupOf(20), HOST_COUNT), undefined);
  proc.put(20, { comm: "web", cpus: "0" });
  assertEquals(look.of("web", groupOf(20), HOST_COUNT), 1);
});
