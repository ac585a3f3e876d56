import { assertEquals } from "@std/assert";
import { memoryAvailablePercent, memoryTotalBytes, memoryUsedKib, swapUsedPercent } from "./memory.ts";
import { type Meminfo, parseMeminfo } from "./proc/meminfo.ts";

function meminfo(name: string): Meminfo {
  const url = new URL(`../fixtures/cases/${name}/proc/meminfo`, import.meta.url);
  return parseMeminfo(Deno.readTextFileSync(url));
}

const MIXED: Meminfo = {
  totalKib: 1000,
  availableKib: 1500,
  freeKib: 1200,
  swapTotalKib: 100,
  swapFreeKib: 4000,
};

const UNKNOWN: Meminfo = {
  totalKib: 1000,
  availableKib: undefined,
  freeKib: 900,
  swapTotalKib: undefined,
  swapFreeKib: 5,
};

Deno.test("memoryTotalBytes() is exact for c47-memory-12-tib", () => {
  assertEquals(memoryTotalBytes(meminfo("c47-memory-12-tib")), 13_194_139_533_312);
});

Deno.test("memoryAvailablePercent() is right for each case", () => {
  assertEquals(memoryAvailablePercent(meminfo("c44-no-swap")), 62.5);
  assertEquals(memoryAvailablePercent(meminfo("c46-lxcfs-used-negative")), 98.9);
  assertEquals(memoryAvailablePercent(meminfo("c47-memory-12-tib")), 75);
});

Deno.test("memoryUsedKib() is not negative for c46-lxcfs-used-negative", () => {
  assertEquals(memoryUsedKib(meminfo("c46-lxcfs-used-negative")), 10_776);
});

Deno.test("swapUsedPercent() is 0 for c44-no-swap, not 0 divided by 0", () => {
  assertEquals(swapUsedPercent(meminfo("c44-no-swap")), 0);
});

Deno.test("swapUsedPercent() rounds to one decimal, halves up", () => {
  assertEquals(swapUsedPercent({ ...MIXED, swapTotalKib: 2000, swapFreeKib: 1999 }), 0.1);
  assertEquals(swapUsedPercent({ ...MIXED, swapTotalKib: 2001, swapFreeKib: 2000 }), 0);
});

Deno.test("figures of a host within a container's stay in their range", () => {
  assertEquals(memoryAvailablePercent(MIXED), 100);
  assertEquals(memoryUsedKib(MIXED), 0);
  assertEquals(swapUsedPercent(MIXED), 0);
});

Deno.test("what is not known stays unknown", () => {
  assertEquals(memoryAvailablePercent(UNKNOWN), undefined);
  assertEquals(memoryUsedKib(UNKNOWN), undefined);
  assertEquals(swapUsedPercent(UNKNOWN), undefined);
  assertEquals(swapUsedPercent({ ...MIXED, swapFreeKib: undefined }), undefined);
});
