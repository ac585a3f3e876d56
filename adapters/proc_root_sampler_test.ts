import { assertEquals } from "@std/assert";
import { ok } from "../mod/reading.ts";
import type { Clock } from "./clock.ts";
import { runCommand } from "./command.ts";
import { createProcessReader } from "./process_reader.ts";
import { createProcRootSampler } from "./proc_root_sampler.ts";
import type { Sampler } from "./sampler.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;
const BACKUPS = {
  patterns: { engines: ["mydumper", "duplicity"], orchestrators: ["mysql_backup.sh"] },
  markerPath: undefined,
};

/** A sampler over a folder; `onSleep` runs while it waits, so that files can change between two reads. */
function samplerOf(root: string, onSleep: (times: number) => void = () => {}): Sampler {
  let sleeps = 0;
  const clock: Clock = {
    monotonicMs: () => 7,
    wallMs: () => 8,
    sleep(): Promise<void> {
      onSleep(sleeps += 1);
      return Promise.resolve();
    },
  };
  const processes = createProcessReader({ kind: "proc-root", root, name: "procfs-flag" }, runCommand);
  return createProcRootSampler(root, { clock, run: runCommand, processes, backups: BACKUPS });
}

/** A proc root of its own whose stat file is the first moment of a case. */
function movingRoot(caseName: string): { readonly root: string; readonly moveTo: (moment: string) => void } {
  const root = Deno.makeTempDirSync();
  const moveTo = (moment: string): void =>
    Deno.copyFileSync(`${FIXTURES}cases/${caseName}/${moment}/proc/stat`, `${root}/stat`);
  Deno.writeTextFileSync(`${root}/loadavg`, "0.10 0.10 0.10 1/10 10\n");
  moveTo("t0");
  return { root, moveTo };
}

Deno.test("take() reads load and CPUs of the same moment, and nothing else on a quiet pass", async () => {
  const sample = await samplerOf(`${FIXTURES}proc/6.1_crawler_storm`).take("load");
  assertEquals([sample.monotonicMs, sample.wallMs, sample.gate], [7, 8, undefined]);
  assertEquals(sample.load.kind === "ok" && [sample.load.value.load1Hundredths, sample.load.value.cpuCount], [
    1342,
    2,
  ]);
});

Deno.test("take() reads what a drastic tier needs when it is asked to", async () => {
  const { gate } = await samplerOf(`${FIXTURES}proc/6.1_crawler_storm`).take("gate");
  assertEquals(gate?.backups, ok([]));
  // A tree that does not move gives no iowait share: taken twice, it counts as 0.
  assertEquals(gate?.iowaitPercent, ok(0));
  assertEquals(gate?.psiCpuPercent, ok(64.2));
  assertEquals(gate?.runnableTasks, ok(10), "the reader is not counted");
});

Deno.test("take() measures the iowait share between two looks at the CPU times", async () => {
  const { root, moveTo } = movingRoot("c02-stat-8-columns-no-softirq-line");
  Deno.mkdirSync(`${root}/1`);
  const { gate } = await samplerOf(root, () => moveTo("t1")).take("gate");
  assertEquals(gate?.iowaitPercent, ok(13.9));
  Deno.removeSync(root, { recursive: true });
});

Deno.test("take() looks once more when the counters fell, as after a live migration", async () => {
  const { root, moveTo } = movingRoot("c08-stat-total-drops-after-live-migration");
  const { gate } = await samplerOf(root, (times) => moveTo(`t${times}`)).take("gate");
  assertEquals(gate?.iowaitPercent, ok(5));
  Deno.removeSync(root, { recursive: true });
});

Deno.test("take() says how busy the CPUs were since the sample before", async () => {
  const { root, moveTo } = movingRoot("c02-stat-8-columns-no-softirq-line");
  const sampler = samplerOf(root);
  const first = await sampler.take("load");
  moveTo("t1");
  const second = await sampler.take("load");
  assertEquals(first.load.kind === "ok" && first.load.value.cpuBusyRatio, undefined);
  assertEquals(second.load.kind === "ok" && typeof second.load.value.cpuBusyRatio, "number");
  Deno.removeSync(root, { recursive: true });
});

Deno.test("take() has no load when either file cannot be read, and says which", async () => {
  for (const broken of ["loadavg", "stat"]) {
    const { root } = movingRoot("c02-stat-8-columns-no-softirq-line");
    Deno.writeTextFileSync(`${root}/${broken}`, "");
    const { load } = await samplerOf(root).take("load");
    assertEquals(
      load.kind === "failed" && load.error.includes(`${root}/${broken}`),
      true,
      JSON.stringify(load),
    );
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("take() goes on with everything else where PSI fails", async () => {
  const sample = await samplerOf(`${FIXTURES}cases/c23-psi-read-eopnotsupp/proc`).take("gate");
  assertEquals(sample.load.kind, "ok");
  assertEquals(sample.gate?.psiCpuPercent.kind === "ok", false);
});
