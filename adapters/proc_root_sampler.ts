/** Samples from a folder laid out like `/proc`: two reads on a quiet pass, no fork ever. */

import { busyRatio, iowaitPercent } from "../mod/cpu_share.ts";
import { messageOf } from "../mod/errors.ts";
import type { Needs } from "../mod/ladder/ladder.ts";
import type { GateReadings, LoadSample, Sample } from "../mod/ladder/sample.ts";
import { type Loadavg, parseLoadavg } from "../mod/proc/loadavg.ts";
import { type CpuTimes, parseProcStat, type ProcStat } from "../mod/proc/stat.ts";
import { failed, mapReading, ok, type Reading } from "../mod/reading.ts";
import { readRunningBackups } from "./backup_watch.ts";
import { readSome10 } from "./psi.ts";
import type { Sampler, SamplerPorts } from "./sampler.ts";

/** Time between the two looks at the CPU times that give the iowait share, as in BOA's second.sh. */
const IOWAIT_WINDOW_MS = 200;

/** A sampler that reads from `root`. */
export function createProcRootSampler(root: string, ports: SamplerPorts): Sampler {
  const { clock } = ports;
  let lastTimes: CpuTimes | undefined;

  function readLoad(stat: Reading<ProcStat>, loadavg: Reading<Loadavg>): Reading<LoadSample> {
    if (loadavg.kind !== "ok") return loadavg;
    if (stat.kind !== "ok") return stat;
    const times = stat.value.cpuTimes;
    const cpuBusyRatio = lastTimes && busyRatio(lastTimes, times);
    lastTimes = times;
    const { load1Hundredths, load5Hundredths, line } = loadavg.value;
    return ok({ load1Hundredths, load5Hundredths, cpuCount: stat.value.cpuCount, line, cpuBusyRatio });
  }

  async function readGate(loadavg: Reading<Loadavg>): Promise<GateReadings> {
    const [iowait, backups] = await Promise.all([
      readIowait(root, (ms) => clock.sleep(ms)),
      readRunningBackups(ports.processes, ports.backups),
    ]);
    return {
      backups,
      iowaitPercent: iowait,
      // The kernel counts the reader of the file among the runnable tasks.
      runnableTasks: mapReading(loadavg, ({ runnableTasks }) => Math.max(0, runnableTasks - 1)),
      psiCpuPercent: readSome10(root, "cpu"),
      psiIoPercent: readSome10(root, "io"),
    };
  }

  return {
    async take(needs: Needs): Promise<Sample> {
      const loadavg = read(`${root}/loadavg`, parseLoadavg);
      const load = readLoad(read(`${root}/stat`, parseProcStat), loadavg);
      const times = { monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() };
      return needs === "load" ? { ...times, load } : { ...times, load, gate: await readGate(loadavg) };
    },
  };
}

/**
 * The share of time that the CPUs waited for the disk over 0.2 s. A pair that says nothing is taken once more, and then
 * counts as 0: no exemption rests on it.
 */
async function readIowait(root: string, sleep: (ms: number) => Promise<void>): Promise<Reading<number>> {
  let before = read(`${root}/stat`, parseProcStat);
  for (let tries = 0; tries < 2; tries++) {
    await sleep(IOWAIT_WINDOW_MS);
    const after = read(`${root}/stat`, parseProcStat);
    if (before.kind !== "ok") return before;
    if (after.kind !== "ok") return after;
    const percent = iowaitPercent(before.value.cpuTimes, after.value.cpuTimes);
    if (percent !== undefined) return ok(percent);
    before = after;
  }
  return ok(0);
}

/** Reads and parses a small file of the kernel; these reads cannot block. */
function read<T>(path: string, parse: (text: string, source: string) => T): Reading<T> {
  try {
    return ok(parse(Deno.readTextFileSync(path), path));
  } catch (error) {
    return failed(messageOf(error));
  }
}
