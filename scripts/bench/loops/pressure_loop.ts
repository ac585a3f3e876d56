/**
 * Takes samples of pressure and evaluates them, so many milliseconds apart: what the agent does each second, and nothing
 * else. Instances are those of four ports from the given one; the applications are the processes `sleep`.
 */

import { createHostFiles } from "../../../adapters/check/host_files.ts";
import { systemClock } from "../../../adapters/clock.ts";
import { runCommand } from "../../../adapters/command.ts";
import { createPressureSampler } from "../../../adapters/pressure/pressure_sampler.ts";
import { chooseSource } from "../../../adapters/source.ts";
import { tierAddressOf } from "../../../mod/config/metrics_address.ts";
import { resolveConfig } from "../../../mod/config/resolve.ts";
import { pressureRulesOf } from "../../../mod/pressure/config_rules.ts";
import { initialPressure, pressureStep } from "../../../mod/pressure/pressure.ts";
import { readMetrics } from "../../../mod/pressure/read_metrics.ts";

const [port = "9101", times = "1", everyMs = "0"] = Deno.args;
const text = [
  ...[0, 1, 2, 3].map((index) =>
    `[instance:web${index}]\nmetrics = http://127.0.0.1:${Number(port) + index}/metrics\n`
  ),
  "[app:sleepers]\nclass = node\nprocess = sleep\n",
].join("");
const { config, instances, apps } = resolveConfig({ ini: { source: "bench", text } });
const rules = pressureRulesOf({ config, instances, apps });
const sampler = createPressureSampler({
  source: chooseSource(undefined, undefined).source,
  clock: systemClock,
  run: runCommand,
  host: createHostFiles(),
  readMetrics,
  tierAddressOf,
}, { instances, apps, tier: config });
let state = initialPressure();
for (let left = Number(times); left > 0; left--) {
  const sample = await sampler.take();
  const bad = sample.instances.find(({ metrics }) => metrics.kind !== "ok");
  if (bad !== undefined) throw new Error(JSON.stringify(bad));
  ({ state } = pressureStep(
    state,
    { ...sample, isScaling: false, outcome: undefined, isHeld: false },
    rules,
  ));
  if (Number(everyMs) > 0) await systemClock.sleep(Number(everyMs));
}
sampler.close();
