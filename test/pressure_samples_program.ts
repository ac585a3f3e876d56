/**
 * A program for worlds: takes a sample of pressure each time a line comes in, and says it as one line of JSON. Of a
 * page it tells its length, as requests so far.
 *
 * The argument is the plan, as JSON.
 */

import { createHostFiles } from "../adapters/check/host_files.ts";
import { systemClock } from "../adapters/clock.ts";
import { runCommand } from "../adapters/command.ts";
import { createPressureSampler } from "../adapters/pressure/pressure_sampler.ts";
import { chooseSource } from "../adapters/source.ts";
import { NO_METRICS } from "../mod/pressure/metrics.ts";

const sampler = createPressureSampler({
  source: chooseSource(undefined, undefined).source,
  host: createHostFiles(),
  clock: systemClock,
  run: runCommand,
  readMetrics: ({ text }) => ({ ...NO_METRICS, requestsTotal: text.length }),
  tierAddressOf: () => undefined,
}, JSON.parse(Deno.args[0] ?? ""));

const decoder = new TextDecoder();
let pending = "";
for await (const chunk of Deno.stdin.readable) {
  pending += decoder.decode(chunk, { stream: true });
  const lines = pending.split("\n");
  pending = lines.pop() ?? "";
  for (const _ of lines) {
    const startedMs = performance.now();
    const sample = await sampler.take();
    const tookMs = Math.round(performance.now() - startedMs);
    await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify({ ...sample, tookMs })}\n`));
  }
}
sampler.close();
