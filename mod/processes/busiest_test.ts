import { assertEquals } from "@std/assert";
import { aProcess } from "../testing/process.ts";
import { busiestOf } from "./busiest.ts";

Deno.test("busiestOf() tells who used the CPU between two looks, not over their lives", () => {
  const before = [
    aProcess(10, "mysqld", { cpuTicks: 900_000, startTicks: 1 }),
    aProcess(11, "gzip", { cpuTicks: 50, startTicks: 2 }),
    aProcess(12, "cron", { cpuTicks: 7, startTicks: 3 }),
    aProcess(13, "php", { cpuTicks: 1_000, startTicks: 4 }),
  ];
  const after = [
    aProcess(10, "mysqld", { cpuTicks: 900_020, startTicks: 1 }),
    aProcess(11, "gzip", { cpuTicks: 150, startTicks: 2, argv: ["/bin/gzip", "-9", "secret.sql"] }),
    aProcess(12, "cron", { cpuTicks: 7, startTicks: 3 }),
    aProcess(13, "perl", { cpuTicks: 30, startTicks: 500 }),
  ];
  assertEquals(busiestOf(before, after, 1_000, 9), [
    { pid: 11, command: "gzip", cpuPercent: 100 },
    { pid: 13, command: "perl", cpuPercent: 30 },
    { pid: 10, command: "mysqld", cpuPercent: 20 },
  ]);
  assertEquals(busiestOf(before, after, 1_000, 1).map(({ pid }) => pid), [11]);
});

Deno.test("busiestOf() names nobody where ticks are not known, as from ps", () => {
  const processes = [aProcess(10, "mysqld", { cpuTicks: undefined })];
  assertEquals(busiestOf(processes, processes, 1_000, 9), []);
});
