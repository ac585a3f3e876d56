import { assertEquals } from "@std/assert";
import { parseMeminfo } from "../../proc/meminfo.ts";
import type { Meminfo } from "../../proc/meminfo.ts";
import type { Pressure } from "../../proc/pressure.ts";
import { absent, failed, ok, type Reading } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { judgeSwap } from "./swap.ts";

/** Shares in percent of 1 000 000 KiB each. */
function memory(
  availablePercent: number | undefined,
  swapFreePercent: number | undefined,
  swapTotalKib = 1_000_000,
): Meminfo {
  return {
    totalKib: 1_000_000,
    availableKib: availablePercent === undefined ? undefined : availablePercent * 10_000,
    freeKib: 0,
    swapTotalKib: swapFreePercent === undefined ? undefined : swapTotalKib,
    swapFreeKib: swapFreePercent === undefined ? undefined : swapFreePercent * 10_000,
  };
}

function pressure(avg10Percent: number): Reading<Pressure> {
  return ok({ some: undefined, full: { avg10Percent, avg60Percent: 0, avg300Percent: 0, totalMicros: 0 } });
}

const NO_PSI = absent("boot with psi=1");

const CASES = [
  { what: "swap full and memory short", meminfo: memory(4.9, 1.9), psi: pressure(0), says: "drain" },
  { what: "swap full and tasks that wait", meminfo: memory(40, 1.9), psi: pressure(10.01), says: "drain" },
  { what: "swap full and memory short, without PSI", meminfo: memory(4.9, 1.9), psi: NO_PSI, says: "drain" },
  { what: "swap full alone", meminfo: memory(40, 0), psi: pressure(10), says: "ok" },
  { what: "swap full and memory getting short", meminfo: memory(5, 0), psi: pressure(10), says: "warn" },
  { what: "swap at its level", meminfo: memory(1, 2), psi: pressure(50), says: "warn" },
  { what: "swap with room", meminfo: memory(1, 10), psi: pressure(50), says: "ok" },
  {
    what: "swap full, memory unknown, nothing waits",
    meminfo: memory(undefined, 1),
    psi: pressure(1),
    says: "unknown",
  },
  {
    what: "swap full, memory unknown, tasks wait",
    meminfo: memory(undefined, 1),
    psi: pressure(11),
    says: "drain",
  },
  { what: "swap full, nothing else known", meminfo: memory(undefined, 1), psi: NO_PSI, says: "unknown" },
  { what: "swap with room, nothing else known", meminfo: memory(undefined, 50), psi: NO_PSI, says: "ok" },
  { what: "no swap and memory short", meminfo: memory(2.9, 0, 0), psi: pressure(0), says: "drain" },
  { what: "no swap and memory getting short", meminfo: memory(3, 0, 0), psi: pressure(50), says: "warn" },
  { what: "no swap and memory", meminfo: memory(6, 0, 0), psi: pressure(0), says: "ok" },
  { what: "no swap and memory unknown", meminfo: memory(undefined, 0, 0), psi: pressure(0), says: "unknown" },
  { what: "no figures of swap", meminfo: memory(1, undefined), psi: pressure(50), says: "unknown" },
] as const;

for (const { what, meminfo, psi, says } of CASES) {
  Deno.test(`judgeSwap() says ${says} of ${what}`, () => {
    assertEquals(saysOf(judgeSwap(ok(meminfo), psi)), says);
  });
}

Deno.test("judgeSwap() knows nothing without memory figures, and needs no PSI that failed", () => {
  assertEquals(saysOf(judgeSwap(failed("cut"), pressure(90))), "unknown");
  assertEquals(saysOf(judgeSwap(ok(memory(4, 1)), failed("EOPNOTSUPP"))), "drain");
});

for (const name of ["c44-no-swap", "c46-lxcfs-used-negative", "c47-memory-12-tib"]) {
  Deno.test(`judgeSwap() has nothing against ${name}`, () => {
    const url = new URL(`../../../fixtures/cases/${name}/proc/meminfo`, import.meta.url);
    const result = judgeSwap(ok(parseMeminfo(Deno.readTextFileSync(url))), NO_PSI);
    assertEquals(saysOf(result), "ok");
    assertEquals(result.evidence.includes("NaN") || result.evidence.includes("Infinity"), false);
  });
}
