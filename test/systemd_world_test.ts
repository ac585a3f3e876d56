import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { type Need, testNeeding } from "./needs.ts";
import { inSystemdWorld, inSystemdWorldOk } from "./systemd_world.ts";

const NEEDS: readonly Need[] = ["root", "namespaces", "/lib/systemd/systemd", "/usr/bin/nsenter"];

/** Control groups on the machine whose world is gone. Others may run beside this test. */
function leftGroups(): readonly string[] {
  const unified = Deno.readTextFileSync("/proc/mounts").split("\n").map((line) => line.split(" "))
    .find(([, , type]) => type === "cgroup2")?.[1] ?? "";
  return [...Deno.readDirSync(unified)].map(({ name }) => name).filter((name) => {
    const pid = /^loadweir-test-(\d+)$/.exec(name)?.[1];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  });
}

testNeeding(NEEDS, "inSystemdWorld() boots systemd, and worlds side by side are apart", async () => {
  const before = leftGroups();
  const script = (name: string): string => `
    cat /proc/1/comm
    systemctl is-active world.target
    ls /run/loadweir/proc/1/comm
    systemd-run --quiet --unit=${name} sleep 300
    systemctl is-active one two || true`;
  const [one, two] = await Promise.all(["one", "two"].map((name) => inSystemdWorldOk(script(name), {})));
  const common = "systemd\nactive\n/run/loadweir/proc/1/comm\n";
  assertEquals([one, two], [`${common}active\ninactive\n`, `${common}inactive\nactive\n`]);
  assertEquals(leftGroups().filter((name) => !before.includes(name)), []);
});

testNeeding(NEEDS, "inSystemdWorld() ends with its script, whatever still runs", async () => {
  const startedMs = performance.now();
  const { code, stdout } = await inSystemdWorld("systemd-run --quiet sleep 300; echo started; exit 7", {});
  assertEquals([code, stdout], [7, "started\n"]);
  assert(performance.now() - startedMs < 20_000);
});

testNeeding(NEEDS, "inSystemdWorld() ends a script at its deadline", async () => {
  const { code } = await inSystemdWorld("sleep 300", { deadlineMs: 500 });
  assertEquals(code, 137);
});
