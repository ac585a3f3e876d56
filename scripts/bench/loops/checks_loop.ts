/** Looks at all checks of the host a number of times, so many milliseconds apart: what the probe does beside its sites. */

import { createHostFiles } from "../../../adapters/check/host_files.ts";
import { systemClock } from "../../../adapters/clock.ts";
import { runCommand } from "../../../adapters/command.ts";
import { createHostChecks } from "../../../adapters/probe/host_checks.ts";
import { DEFAULT_ACCESS_LOG } from "../../../adapters/probe/server_errors.ts";
import { createProcessReader } from "../../../adapters/process_reader.ts";
import { chooseSource } from "../../../adapters/source.ts";
import { defaultConfig } from "../../../mod/config/schema.ts";
import { HOST_CHECK_NAMES } from "../../../mod/probe/check.ts";
import { DEFAULT_THRESHOLDS } from "../../../mod/probe/thresholds.ts";

const [times = 1, everyMs = 0] = Deno.args.map(Number);
const { source } = chooseSource(undefined, undefined);
const processes = createProcessReader(source, runCommand);
const checks = createHostChecks(
  { clock: systemClock, run: runCommand, source, processes, host: createHostFiles() },
  {
    thresholds: DEFAULT_THRESHOLDS,
    runawayNames: defaultConfig().runawayNames,
    accessLog: DEFAULT_ACCESS_LOG,
    databases: undefined,
  },
);
let wallMs = 0;
for (let left = times; left > 0; left--) {
  const startedMs = performance.now();
  await checks.look(HOST_CHECK_NAMES);
  wallMs += performance.now() - startedMs;
  if (left > 1) await new Promise((resolve) => setTimeout(resolve, everyMs));
}
checks.close();
processes.close();
await Deno.stdout.write(new TextEncoder().encode(`${wallMs / times}\n`));
