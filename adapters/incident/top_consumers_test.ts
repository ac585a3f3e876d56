import { assertEquals } from "@std/assert";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { aProcess, aTable } from "../../mod/testing/process.ts";
import { failed, ok } from "../../mod/reading.ts";
import { topConsumers, type TopConsumersPorts } from "./top_consumers.ts";

const PS =
  "  812       1 mysql             97.3      81234         90000 S mysqld           /usr/sbin/mysqld --pw=x\n";

/** Looks of a host, one after the other; null is one that fails. */
function hostOf(looks: readonly (readonly ProcessInfo[] | null)[]): TopConsumersPorts {
  let now = 0;
  let look = 0;
  return {
    processes: {
      read: () => {
        const processes = looks[look++] ?? null;
        return Promise.resolve(
          processes === null ? failed("no /proc") : ok(aTable(processes)),
        );
      },
    },
    clock: {
      monotonicMs: () => now,
      sleep(ms: number): Promise<void> {
        now += ms;
        return Promise.resolve();
      },
    },
    run: (program) =>
      Promise.resolve({
        code: program === "/bin/ps" ? 0 : 127,
        stdout: PS,
        stderr: "",
        timedOut: false,
        tookMs: 1,
      }),
  };
}

Deno.test("topConsumers() says who uses the CPU and who waits for a disk", async () => {
  const host = hostOf([
    [aProcess(10, "gzip", { cpuTicks: 100 }), aProcess(11, "rsync", { cpuTicks: 5, state: "D" })],
    [aProcess(10, "gzip", { cpuTicks: 199 }), aProcess(11, "rsync", { cpuTicks: 5, state: "D" })],
  ]);
  assertEquals(await topConsumers(host), [
    "gzip (pid 10): 99 % of one CPU",
    "1 task waiting for a disk: rsync",
  ]);
});

Deno.test("topConsumers() asks ps where there is no proc root", async () => {
  const host = hostOf([[aProcess(10, "gzip", { cpuTicks: undefined })]]);
  assertEquals(await topConsumers(host), ["mysqld (pid 812): 97.3 % of one CPU over its life"]);
});

Deno.test("topConsumers() names nobody where nothing can be seen", async () => {
  const host = { ...hostOf([null]), run: () => Promise.reject(new Error("no")) };
  assertEquals(await topConsumers(host), []);
});
