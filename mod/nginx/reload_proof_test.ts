import { assertEquals } from "@std/assert";
import type { NginxInstance } from "../processes/web_tier.ts";
import { aProcess } from "../testing/process.ts";
import { judgeReload, servesAsBefore } from "./reload_proof.ts";

const MASTER = 10;

function nginx(
  workers: readonly number[],
  shuttingDown: readonly number[] = [],
  newborn: readonly number[] = [],
): NginxInstance {
  const of = (pids: readonly number[]): NginxInstance["workers"] => pids.map((pid) => aProcess(pid, "nginx"));
  return {
    master: aProcess(MASTER, "nginx"),
    workers: of(workers),
    shuttingDown: of(shuttingDown),
    helpers: [],
    newborn: of(newborn),
  };
}

const BEFORE = nginx([11, 12]);

const BUSY = { pid: MASTER, message: "bind() to 0.0.0.0:8080 failed (98: Address already in use)" };

Deno.test("judgeReload() believes new workers when no old one takes connections", () => {
  assertEquals(judgeReload(BEFORE, nginx([13, 14]), []), { kind: "taken" });
  assertEquals(judgeReload(BEFORE, nginx([13, 14], [11, 12]), []), { kind: "taken" });
  assertEquals(judgeReload(nginx([]), nginx([13]), []), { kind: "taken" });
});

Deno.test("judgeReload() knows a pid that was given out again by its start", () => {
  const again = { ...nginx([]), workers: [aProcess(11, "nginx", { startTicks: 999_999 })] };
  assertEquals(judgeReload(nginx([11]), again, []), { kind: "taken" });
});

Deno.test("judgeReload() waits while the old workers serve", () => {
  assertEquals(judgeReload(BEFORE, BEFORE, []), { kind: "open" });
  assertEquals(judgeReload(BEFORE, nginx([]), []), { kind: "open" });
  assertEquals(judgeReload(BEFORE, nginx([11, 13]), []), { kind: "open" }, "one that crashed");
  assertEquals(judgeReload(BEFORE, nginx([11, 12, 13, 14]), []), { kind: "overlapping" });
});

Deno.test("judgeReload() waits for workers that have no name yet, and takes no old one for new", () => {
  assertEquals(judgeReload(BEFORE, nginx([13], [11, 12], [14]), []), { kind: "open" });
  assertEquals(judgeReload(BEFORE, nginx([], [11, 12], [13, 14]), []), { kind: "open" });
  assertEquals(judgeReload(BEFORE, nginx([13, 14], [11, 12], [15]), []), { kind: "open" });
  const message = "eventfd() failed (24: Too many open files)";
  assertEquals(judgeReload(BEFORE, nginx([13], [], [14]), [{ pid: 14, message }]), {
    kind: "refused",
    why: message,
  });
  // One that was forked right before the reload is of the old configuration, also when it has its name.
  const respawning = nginx([11], [], [12]);
  assertEquals(judgeReload(respawning, nginx([11, 12]), []), { kind: "open" });
  assertEquals(judgeReload(respawning, nginx([12, 13]), []), { kind: "overlapping" });
  assertEquals(judgeReload(respawning, nginx([13, 14], [], [12]), []), { kind: "overlapping" });
  assertEquals(judgeReload(respawning, nginx([13, 14], [11, 12]), []), { kind: "taken" });
});

Deno.test("judgeReload() gives the reason that the master logged, the port before it gave up", () => {
  assertEquals(judgeReload(BEFORE, BEFORE, [BUSY]), { kind: "open" }, "it is tried again");
  assertEquals(judgeReload(BEFORE, nginx([13, 14]), [BUSY]), { kind: "taken" }, "it was free in the end");
  assertEquals(judgeReload(BEFORE, BEFORE, [BUSY, { pid: MASTER, message: "still could not bind()" }]), {
    kind: "refused",
    why: BUSY.message,
  });
});

Deno.test("judgeReload() counts what new workers log, and not what other processes do", () => {
  const message = "eventfd() failed (24: Too many open files)";
  assertEquals(judgeReload(BEFORE, nginx([13]), [{ pid: 13, message }]), { kind: "refused", why: message });
  assertEquals(judgeReload(BEFORE, nginx([13]), [{ pid: 4711, message }]), { kind: "taken" });
});

Deno.test("judgeReload() says that nginx is gone", () => {
  assertEquals(judgeReload(BEFORE, undefined, []), { kind: "refused", why: "its master process has ended" });
});

Deno.test("servesAsBefore() is true while a worker has only got its name", () => {
  assertEquals(servesAsBefore(nginx([11], [], [12]), nginx([11, 12])), true);
  assertEquals(servesAsBefore(BEFORE, nginx([11], [], [12])), true);
});

Deno.test("servesAsBefore() is true while all workers are the same ones", () => {
  assertEquals(servesAsBefore(BEFORE, nginx([11, 12, 13])), true);
  assertEquals(servesAsBefore(BEFORE, nginx([11, 13], [12])), false);
  assertEquals(servesAsBefore(BEFORE, undefined), false);
  assertEquals(servesAsBefore(nginx([]), nginx([13])), false);
});
