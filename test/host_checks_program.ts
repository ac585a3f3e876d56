/**
 * A program for worlds: looks at the checks of its host as the agent does, each time a line comes in, and says
 * as one line of JSON what it saw. The line names the checks, all of them when it is empty, and before them how
 * many seconds the clock goes forward: `31 nginx swap`.
 *
 * The first argument, as JSON, replaces settings.
 */

import { systemClock } from "../adapters/clock.ts";
import { createHostFiles } from "../adapters/check/host_files.ts";
import { runCommand } from "../adapters/command.ts";
import { createHostChecks } from "../adapters/probe/host_checks.ts";
import { DEFAULT_ACCESS_LOG } from "../adapters/probe/server_errors.ts";
import { createProcessReader } from "../adapters/process_reader.ts";
import { chooseSource } from "../adapters/source.ts";
import { HOST_CHECK_NAMES, type HostCheck } from "../mod/probe/check.ts";
import { DEFAULT_THRESHOLDS } from "../mod/probe/thresholds.ts";
import { defaultConfig } from "../mod/config/schema.ts";

let aheadMs = 0;
const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
const { source } = chooseSource(undefined, undefined);
const processes = createProcessReader(source, runCommand);
const checks = createHostChecks(
  { clock, run: runCommand, source, processes, host: createHostFiles() },
  {
    thresholds: DEFAULT_THRESHOLDS,
    runawayNames: defaultConfig().runawayNames,
    accessLog: DEFAULT_ACCESS_LOG,
    databases: undefined,
    ...JSON.parse(Deno.args[0] ?? "{}"),
  },
);

/** Looks once, as a line says. */
async function answer(line: string): Promise<void> {
  const [aheadS = "", ...names] = line.split(" ").filter((word) => word !== "");
  aheadMs += 1000 * Number(aheadS);
  const wanted = names.length === 0 ? HOST_CHECK_NAMES : names as HostCheck[];
  const startedMs = performance.now();
  const results = Object.fromEntries(await checks.look(wanted));
  const tookMs = Math.round(performance.now() - startedMs);
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify({ ...results, tookMs })}\n`));
}

const decoder = new TextDecoder();
let pending = "";
for await (const chunk of Deno.stdin.readable) {
  pending += decoder.decode(chunk, { stream: true });
  const lines = pending.split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines) await answer(line);
}
checks.close();
processes.close();
