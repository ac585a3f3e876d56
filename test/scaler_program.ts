/**
 * A program for worlds: scales the web tier of its host as the agent does, and says as JSON what came of it.
 *
 *     scaler out [JSON]    scales out with these settings
 *     scaler in [JSON]
 *
 * It ends at SIGTERM as the agent does: what is under way has a second to end.
 */

import { createHostFiles } from "../adapters/check/host_files.ts";
import { createClock } from "../adapters/clock.ts";
import { runCommand } from "../adapters/command.ts";
import { runHook } from "../adapters/hooks.ts";
import { openScaler } from "../adapters/pressure/scaler.ts";
import { BASE_PORT } from "./pressure_ports.ts";

const [verb = "", settings = "{}"] = Deno.args;

const clock = createClock(Number(Deno.readTextFileSync("/proc/uptime").split(" ")[0]) * 1000);

const scaler = openScaler({
  run: runCommand,
  clock,
  host: createHostFiles(),
  runHook: (name, instance, deadlineMs) =>
    runHook(name, {
      wallMs: clock.wallMs(),
      host: "web-1",
      tier: undefined,
      load1Percent: undefined,
      load5Percent: undefined,
      reason: undefined,
      details: [],
      incidentId: undefined,
      instance,
    }, { run: runCommand, deadlineMs, asRoot: true }),
  async isAnswering(index: number): Promise<boolean> {
    const reply = await fetch(`http://127.0.0.1:${BASE_PORT + index}/metrics`, {
      signal: AbortSignal.timeout(1_000),
    });
    return reply.ok && /^process_cpu_seconds_total \d/m.test(await reply.text());
  },
  instances: [],
}, {
  tierTemplate: "web@.service",
  tierMinCount: 1,
  tierMaxCount: 3,
  tierDrain: "unit",
  startTimeoutMs: 10_000,
  failureBackoffMs: 180_000,
  ...JSON.parse(settings),
});

Deno.addSignalListener("SIGTERM", async () => {
  await scaler.close(1_000);
  Deno.exit(0);
});

const startedMs = clock.monotonicMs();
scaler.scale(verb === "out" ? "ScaleOut" : "ScaleIn");
while (scaler.isScaling()) await clock.sleep(20);
const line = JSON.stringify({ ...scaler.takeOutcome(), tookMs: clock.monotonicMs() - startedMs });
await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
Deno.exit(0);
