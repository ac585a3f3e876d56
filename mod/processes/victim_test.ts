import { assertEquals } from "@std/assert";
import { aProcess } from "../testing/process.ts";
import { victimOf, victimText } from "./victim.ts";

const USERS = new Map([[33, "www-data"]]);

Deno.test("victimOf() tells who it was, for how long, and how much it took", () => {
  const process = aProcess(4120, "php", {
    argv: ["/usr/bin/php", "/data/www/drush.php", "--password=hunter2", "cron"],
    startTicks: 180_050,
    cpuTicks: 12_345,
  });
  const victim = victimOf(process, { uid: 33, rssKib: 47_492, pendingSignals: [] }, 1_860_000, USERS);
  assertEquals(victim, {
    pid: 4120,
    user: "www-data",
    ageS: 59,
    cpuS: 123.45,
    rssKib: 47_492,
    command: "php drush.php",
  });
  assertEquals(
    victimText(victim),
    "php drush.php (pid 4120 of www-data, 59 s old, 123.45 s of CPU, 47492 KiB)",
  );
  assertEquals(
    victimOf(process, { uid: 5000, rssKib: 1, pendingSignals: [] }, undefined, USERS).user,
    "uid 5000",
  );
});

Deno.test("victimOf() leaves open what could not be read, and falls back on the kernel's name", () => {
  const process = aProcess(7, "curl", { argv: undefined, startTicks: undefined, cpuTicks: undefined });
  const victim = victimOf(process, undefined, undefined, USERS);
  assertEquals(victim, {
    pid: 7,
    user: undefined,
    ageS: undefined,
    cpuS: undefined,
    rssKib: undefined,
    command: "curl",
  });
  assertEquals(victimText(victim), "curl (pid 7)");
});

Deno.test("victimOf() gives no negative age to a process that started just now", () => {
  assertEquals(victimOf(aProcess(7, "curl", { startTicks: 101 }), undefined, 1_000, USERS).ageS, 0);
});
