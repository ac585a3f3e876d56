import { assertEquals } from "@std/assert";
import type { ProcessInfo } from "../../processes/process.ts";
import { findWebTier } from "../../processes/web_tier.ts";
import { failed, ok } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { aProcess } from "../../testing/process.ts";
import { judgeNginx } from "./nginx.ts";

function nginx(pid: number, ppid: number, title: string): ProcessInfo {
  return aProcess(pid, "nginx", { ppid, argv: [`nginx: ${title}`] });
}

const MASTER = nginx(100, 1, "master process /usr/sbin/nginx");
const WORKER = nginx(101, 100, "worker process");
const ORPHAN = nginx(201, 1, "worker process");
const FPM_ORPHAN = aProcess(301, "php-fpm8.2", { argv: ["php-fpm: pool www"] });
const OLD = [102, 103, 104].map((pid) => nginx(pid, 100, "worker process is shutting down"));

const CASES = [
  { what: "a master with a worker", processes: [MASTER, WORKER], says: "ok" },
  { what: "no nginx", processes: [aProcess(7, "bash")], says: "drain" },
  { what: "workers without a master, which still serve", processes: [ORPHAN], says: "drain" },
  { what: "a master whose workers are gone", processes: [MASTER], says: "drain" },
  { what: "a new master beside workers of an old one", processes: [MASTER, WORKER, ORPHAN], says: "warn" },
  {
    what: "two old workers beside one that serves",
    processes: [MASTER, WORKER, ...OLD.slice(1)],
    says: "ok",
  },
  { what: "three old workers beside one that serves", processes: [MASTER, WORKER, ...OLD], says: "warn" },
  {
    what: "an nginx that only starts",
    processes: [aProcess(9, "nginx", { argv: undefined })],
    says: "unknown",
  },
  { what: "workers of php-fpm without a master", processes: [MASTER, WORKER, FPM_ORPHAN], says: "ok" },
] as const;

for (const { what, processes, says } of CASES) {
  Deno.test(`judgeNginx() says ${says} of ${what}`, () => {
    assertEquals(saysOf(judgeNginx(ok(findWebTier(processes)))), says);
  });
}

Deno.test("judgeNginx() knows nothing without a process table", () => {
  assertEquals(saysOf(judgeNginx(failed("ps did not end"))), "unknown");
});
