import { assertEquals } from "@std/assert";
import { DEFAULT_THRESHOLDS } from "../../mod/probe/thresholds.ts";
import type { ProcessInfo, ProcessTable } from "../../mod/processes/process.ts";
import { ok, type Reading } from "../../mod/reading.ts";
import { aTable } from "../../mod/testing/process.ts";
import type { Source } from "../source.ts";
import type { OwnWeb } from "./own_web.ts";
import { lookAtProcessFiles } from "./process_checks.ts";

const LIMITS = "Limit                     Soft Limit           Hard Limit           Units\n" +
  "Max open files            LIMIT                4096                 files\n";

const NO_WEB: Reading<OwnWeb> = ok({
  tier: { nginx: [], fpm: [], orphans: [], unclear: [] },
  services: [],
});

function database(pid: number, namespaceDepth: number): ProcessInfo {
  return {
    pid,
    ppid: 1,
    comm: "mariadbd",
    state: "S",
    isKernelThread: false,
    isFork: false,
    argv: undefined,
    startTicks: 1,
    threadCount: 1,
    cpuTicks: 1,
    rssPages: 1,
    namespaceDepth,
  };
}

function tableOf(processes: readonly ProcessInfo[]): Reading<ProcessTable> {
  return ok(aTable(processes));
}

/** A proc root with a process 7, whose folder of open files is as kernels before 6.2 have it: of size 0. */
async function withProcess(limit: string, test: (source: Source) => void): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/7`);
    await Deno.writeTextFile(`${root}/7/limits`, LIMITS.replace("LIMIT", limit.padEnd(5)));
    await Deno.symlink("/proc/self/task", `${root}/7/fd`);
    assertEquals(Deno.statSync(`${root}/7/fd`).size, 0);
    test({ kind: "proc-root", root, name: "procfs-flag" });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("lookAtProcessFiles() counts open files where the kernel does not tell their number", () =>
  withProcess("1", (source) => {
    const result = lookAtProcessFiles(
      source,
      tableOf([database(7, 1)]),
      NO_WEB,
      DEFAULT_THRESHOLDS.processFilesPercent,
    );
    assertEquals(result.state === "bad" && result.severity, "drain");
    assertEquals(result.evidence.startsWith("mariadbd 7: "), true);
  }));

Deno.test("lookAtProcessFiles() leaves out databases of containers and what has ended meanwhile", () =>
  withProcess("1", (source) => {
    const result = lookAtProcessFiles(
      source,
      tableOf([database(7, 2), database(8, 1)]),
      NO_WEB,
      DEFAULT_THRESHOLDS.processFilesPercent,
    );
    assertEquals(result, { state: "unknown", evidence: "no server was found" });
  }));
