import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { formatLoad, loadHundredthsOfSysinfo, loadPercent } from "./load_percent.ts";

Deno.test("loadPercent() rounds halves up, where binary floats would not", () => {
  assertEquals(loadPercent(4201, 20), 210.1);
  assertEquals(loadPercent(12201, 20), 610.1);
  assertEquals(loadPercent(16201, 20), 810.1);
  assertEquals(loadPercent(9759, 20), 488);
  assertEquals(loadPercent(344604, 32), 10768.9);
});

Deno.test("loadPercent() is the decimal quotient with one decimal, for any load and any number of CPUs", () => {
  const hundredths = fc.integer({ min: 0, max: 400_000_000 });
  const cpus = fc.integer({ min: 1, max: 8_192 });
  fc.assert(fc.property(hundredths, cpus, (load, cpuCount) => {
    // In whole numbers without a limit: load / 100 / CPUs x 1000 tenths of a percent, plus a half, cut.
    const tenths = (BigInt(load) * 20n + BigInt(cpuCount)) / (2n * BigInt(cpuCount));
    assertEquals(loadPercent(load, cpuCount), Number(tenths) / 10);
  }));
});

Deno.test("loadHundredthsOfSysinfo() gives what the kernel prints", () => {
  // sysinfo(2) and /proc/loadavg of one moment, read on Linux 6.18.
  assertEquals(loadHundredthsOfSysinfo(0.56396484375), 56);
  assertEquals(loadHundredthsOfSysinfo(0.59912109375), 60);
  assertEquals(loadHundredthsOfSysinfo(0.0810546875), 8);
  assertEquals(loadHundredthsOfSysinfo(0), 0);
  assertEquals(loadHundredthsOfSysinfo(2047 / 2048), 100, "0.9995 is printed as 1.00");
  assertEquals(loadHundredthsOfSysinfo(3446.04), 344604);
});

Deno.test("formatLoad() prints two decimals", () => {
  assertEquals([4201, 5, 100].map(formatLoad), ["42.01", "0.05", "1.00"]);
});
