/**
 * Samples without a proc root: the load from sysinfo(2), the CPUs from the runtime, and, for a drastic tier alone, `ps`
 * and `vmstat`.
 */

import { cpus } from "node:os";
import { messageOf } from "../mod/errors.ts";
import type { Needs } from "../mod/ladder/ladder.ts";
import type { GateReadings, LoadSample, Sample } from "../mod/ladder/sample.ts";
import { loadHundredthsOfSysinfo } from "../mod/load_percent.ts";
import { parseVmstat, type Vmstat } from "../mod/proc/vmstat.ts";
import { failed, mapReading, ok, type Reading } from "../mod/reading.ts";
import { readRunningBackups } from "./backup_watch.ts";
import { readSome10 } from "./psi.ts";
import type { Sampler, SamplerPorts } from "./sampler.ts";

const VMSTAT = "/usr/bin/vmstat";

/** Two rows one second apart, the shortest that vmstat can do; the second row is what is read. */
const VMSTAT_ARGUMENTS = ["-n", "1", "2"];

/** One second for the row itself, and as much again for a host that is slow to start a program, twice over. */
const VMSTAT_DEADLINE_MS = 4_000;

/** A sampler that asks the kernel through the runtime. */
export function createKernelCallSampler(ports: SamplerPorts): Sampler {
  const { clock } = ports;
  let lastTimes: CpuMillis | undefined;

  function readLoad(): Reading<LoadSample> {
    try {
      const [load1, load5] = Deno.loadavg();
      const times = readCpuMillis();
      if (load1 === undefined || load5 === undefined || times.cpuCount === 0) {
        return failed("sysinfo(2) gave no load");
      }
      const cpuBusyRatio = lastTimes && busyRatioBetween(lastTimes, times);
      lastTimes = times;
      return ok({
        load1Hundredths: loadHundredthsOfSysinfo(load1),
        load5Hundredths: loadHundredthsOfSysinfo(load5),
        cpuCount: times.cpuCount,
        cpuBusyRatio,
      });
    } catch (error) {
      return failed(messageOf(error));
    }
  }

  async function readGate(): Promise<GateReadings> {
    const [vmstat, backups] = await Promise.all([
      readVmstat(ports),
      readRunningBackups(ports.processes, ports.backups),
    ]);
    return {
      backups,
      iowaitPercent: mapReading(vmstat, ({ iowaitPercent }) => iowaitPercent),
      // vmstat itself is one of them.
      runnableTasks: mapReading(vmstat, ({ runnableTasks }) => Math.max(0, runnableTasks - 1)),
      psiCpuPercent: readSome10("/proc", "cpu"),
      psiIoPercent: readSome10("/proc", "io"),
    };
  }

  return {
    async take(needs: Needs): Promise<Sample> {
      const load = readLoad();
      const times = { monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() };
      return needs === "load" ? { ...times, load } : { ...times, load, gate: await readGate() };
    },
  };
}

/** CPU time of all CPUs since boot, in milliseconds; the runtime counts iowait as neither. */
interface CpuMillis {
  readonly cpuCount: number;
  readonly busyMs: number;
  readonly idleMs: number;
}

/** The runtime reads the `cpuN` lines of `/proc/stat` itself, which the sandbox does not let the program do. */
function readCpuMillis(): CpuMillis {
  const all = cpus();
  return {
    cpuCount: all.length,
    busyMs: all.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
    idleMs: all.reduce((sum, { times }) => sum + times.idle, 0),
  };
}

function busyRatioBetween(before: CpuMillis, after: CpuMillis): number | undefined {
  const busyMs = after.busyMs - before.busyMs;
  const totalMs = busyMs + after.idleMs - before.idleMs;
  return busyMs < 0 || totalMs <= 0 || totalMs < busyMs ? undefined : busyMs / totalMs;
}

async function readVmstat({ run }: SamplerPorts): Promise<Reading<Vmstat>> {
  const result = await run(VMSTAT, VMSTAT_ARGUMENTS, { deadlineMs: VMSTAT_DEADLINE_MS });
  if (result.timedOut) return failed(`"${VMSTAT}" did not end within ${VMSTAT_DEADLINE_MS} ms`);
  if (result.code !== 0) return failed(`"${VMSTAT}" exited ${result.code}: ${result.stderr.trim()}`);
  try {
    return ok(parseVmstat(result.stdout));
  } catch (error) {
    return failed(messageOf(error));
  }
}
