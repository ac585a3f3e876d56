import { assertEquals } from "@std/assert";
import { aProcess } from "../testing/process.ts";
import { victimOf } from "./victim.ts";

Deno.test("victimOf() tells who it was, for how long, and how much it took", () => {
  const process = aProcess(4120, "php", {
    argv: ["/usr/bin/php", "/data/www/drush.php", "--password=hunter2", "cron"],
    startTicks: 180_050,
    cpuTicks: 12_345,
  });
  assertEquals(victimOf(process, { uid: 33, rssKib: 47_492 }, 1_860_000), {
    pid: 4120,
    uid: 33,
    ageS: 59,
    cpuS: 123.45,
    rssKib: 47_492,
    command: "php drush.php",
  });
});

Deno.test("victimOf() leaves open what could not be read, and falls back on the kernel's name", () => {
  const process = aProcess(7, "curl", { argv: undefined, startTicks: undefined, cpuTicks: undefined });
  assertEquals(victimOf(process, undefined, undefined), {
    pid: 7,
    uid: undefined,
    ageS: undefined,
    cpuS: undefined,
    rssKib: undefined,
    command: "curl",
  });
});

Deno.test("victimOf() gives no negative age to a process that started just now", () => {
  assertEquals(victimOf(aProcess(7, "curl", { startTicks: 101 }), undefined, 1_000).ageS, 0);
});
