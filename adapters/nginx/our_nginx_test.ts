import { assertEquals } from "@std/assert";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { ok } from "../../mod/reading.ts";
import { aProcess, aTable } from "../../mod/testing/process.ts";
import { type NginxPorts, readInstanceOnce } from "./our_nginx.ts";

const MASTER = aProcess(100, "nginx", { argv: ["nginx: master process /usr/sbin/nginx"], isFork: true });
const WORKER = aProcess(101, "nginx", { ppid: 100, argv: ["nginx: worker process"], isFork: true });
const INSTANCE = { master: MASTER, workers: [WORKER], shuttingDown: [], helpers: [], newborn: [] };

/** What is read of it on a host with these processes. */
async function kindOn(...processes: readonly ProcessInfo[]): Promise<string> {
  const ports = {
    processes: { read: () => Promise.resolve(ok(aTable(processes))) },
  } as unknown as NginxPorts;
  return (await readInstanceOnce(INSTANCE, ports)).kind;
}

Deno.test("readInstanceOnce() knows a master by its pid and start", async () => {
  assertEquals(await kindOn(MASTER, WORKER), "there");
  assertEquals(await kindOn({ ...MASTER, startTicks: 7 }, WORKER), "gone");
  assertEquals(await kindOn(WORKER), "gone");
});

Deno.test("readInstanceOnce() does not know it while the title of a worker cannot be read", async () => {
  assertEquals(await kindOn(MASTER, { ...WORKER, argv: undefined }), "unknown");
  assertEquals(await kindOn(MASTER, { ...MASTER, pid: 102, ppid: 100 }), "there");
});
