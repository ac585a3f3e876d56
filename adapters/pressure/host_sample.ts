/** What one look knows of the host itself. */

import { cpus } from "node:os";
import { messageOf } from "../../mod/errors.ts";
import type { HostSample } from "../../mod/pressure/sample.ts";
import { parseSockstat } from "../../mod/proc/net_sockstat.ts";
import { parseProcStat } from "../../mod/proc/stat.ts";
import { parseUptime } from "../../mod/proc/uptime.ts";
import { absent, failed, mapReading, ok, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import { readMemory } from "../memory.ts";
import { type PressureResource, readPressure } from "../psi.ts";
import { readFigure } from "../probe/figures.ts";
import type { Source } from "../source.ts";

const TICKS_PER_S = 100;

/** What the CPUs did. */
interface CpuFigures {
  readonly cpuCount: number;
  readonly idleS: Reading<number>;
}

/** The host now. Never throws. */
export function readHost(source: Source): HostSample {
  const memory = readMemory(source);
  return {
    ...readCpus(source),
    memTotalKib: mapReading(memory, ({ totalKib }) => totalKib),
    memAvailableKib: memory.kind === "ok" && memory.value.availableKib === undefined
      ? absent("this kernel does not tell the available memory")
      : mapReading(memory, ({ availableKib }) => availableKib ?? 0),
    psiCpuPercent: readAvg10(source, "cpu", "some"),
    psiMemoryPercent: readAvg10(source, "memory", "full"),
    socketsCount: readFigure(source, "net/sockstat", (text, path) => parseSockstat(text, path).socketsUsed),
  };
}

/**
 * Time since boot in milliseconds, time suspended included; by the clock where the kernel's figure cannot be had.
 * Never throws.
 */
export function readUptimeMs(source: Source, clock: Pick<Clock, "monotonicMs">): number {
  const uptime = source.kind === "proc-root" ? readFigure(source, "uptime", parseUptime) : undefined;
  return uptime?.kind === "ok" ? uptime.value : clock.monotonicMs();
}

function readCpus(source: Source): CpuFigures {
  const stat = source.kind === "proc-root" ? readFigure(source, "stat", parseProcStat) : undefined;
  if (stat?.kind === "ok") {
    const { cpuCount, cpuTimes } = stat.value;
    return { cpuCount, idleS: ok(cpuTimes.idleTicks / TICKS_PER_S) };
  }
  try {
    const all = cpus();
    if (all.length === 0) return { cpuCount: 1, idleS: failed("the runtime tells no CPU") };
    // What failed to be read from a proc root is another figure than the runtime's.
    const idleS = stat ?? ok(all.reduce((sum, { times }) => sum + times.idle, 0) / 1_000);
    return { cpuCount: all.length, idleS };
  } catch (error) {
    return { cpuCount: 1, idleS: failed(messageOf(error)) };
  }
}

function readAvg10(source: Source, resource: PressureResource, of: "some" | "full"): Reading<number> {
  const root = source.kind === "proc-root" ? source.root : "/proc";
  const pressure = readPressure(`${root}/pressure`, resource);
  if (pressure.kind !== "ok") return pressure;
  const line = pressure.value[of];
  return line === undefined ? absent(`${resource} pressure has no "${of}" line`) : ok(line.avg10Percent);
}
