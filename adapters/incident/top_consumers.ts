/** Who uses the host now: what a person wants to know first when a pause of the web did not help. */

import { TOP_ARGUMENTS, topLines } from "../../mod/incident/top_processes.ts";
import { busiestOf } from "../../mod/processes/busiest.ts";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { maybeValue } from "../../mod/reading.ts";
import { countText } from "../../mod/report/count.ts";
import type { Clock } from "../clock.ts";
import { deadlineOf } from "../deadline.ts";
import type { RunCommand } from "../command.ts";
import { runHostTool } from "../host_tool.ts";
import type { ProcessReader } from "../process_reader.ts";
import type { ScanPatterns } from "../process_scan.ts";

/** Time between two looks: long enough that a tick of 10 ms is a percent of a CPU. */
const WINDOW_MS = 1_000;

/** Processes that are named: a line, not a table. */
const SHOWN = 5;

/** A look at thousands of processes on an overloaded host takes seconds. */
const DEADLINE_MS = 8_000;

/** Uninterruptible sleep: these raise the load without using a CPU. */
const WAITING = "D";

const EVERYTHING: ScanPatterns = {
  backups: { engines: [], orchestrators: [] },
  runaways: [],
  webTier: false,
};

/** What looking takes. */
export interface TopConsumersPorts {
  readonly processes: Pick<ProcessReader, "read">;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly run: RunCommand;
}

/**
 * The processes that use most CPU now, and how many wait for a disk, one line each: `gzip (pid 4120): 99 % of one CPU`.
 * Without a proc root the CPU is that over the life of each process. Empty when it takes too long. Never rejects.
 */
export async function topConsumers(ports: TopConsumersPorts): Promise<readonly string[]> {
  return await deadlineOf(DEADLINE_MS, look(ports).catch(() => [])) ?? [];
}

async function look({ processes, clock, run }: TopConsumersPorts): Promise<readonly string[]> {
  const read = async (): Promise<readonly ProcessInfo[]> =>
    maybeValue(await processes.read(EVERYTHING, "everything"))?.processes ?? [];
  const before = await read();
  const startMs = clock.monotonicMs();
  if (before.some(({ cpuTicks }) => cpuTicks !== undefined)) {
    await clock.sleep(WINDOW_MS);
    const after = await read();
    const busiest = busiestOf(before, after, clock.monotonicMs() - startMs, SHOWN)
      .map(({ pid, command, cpuPercent }) => `${command} (pid ${pid}): ${cpuPercent} % of one CPU`);
    return [...busiest, ...waitingLine(after)];
  }
  const { code, stdout } = await runHostTool(run, "ps", TOP_ARGUMENTS, DEADLINE_MS);
  return code === 0 ? [...topLines(stdout, SHOWN), ...waitingLine(before)] : [];
}

function waitingLine(processes: readonly ProcessInfo[]): readonly string[] {
  const waiting = processes.filter(({ state, isKernelThread }) => state === WAITING && !isKernelThread);
  if (waiting.length === 0) return [];
  const names = [...new Set(waiting.map(({ comm }) => comm))].slice(0, SHOWN).join(", ");
  return [`${countText(waiting.length, "task")} waiting for a disk: ${names}`];
}
