/** Scans the processes a number of times, back to back: what the agent does at a drastic re-check, and nothing else. */

import { createCmdlineReader } from "../../../adapters/cmdline_reader.ts";
import { scanProcesses } from "../../../adapters/process_scan.ts";
import { BIND_MOUNT } from "../../../adapters/source.ts";
import { defaultConfig } from "../../../mod/config/schema.ts";

const { backupEngines, backupOrchestrators, runawayNames } = defaultConfig();
const patterns = {
  backups: { engines: backupEngines, orchestrators: backupOrchestrators },
  runaways: runawayNames,
  webTier: false,
};
const readCmdlineDeadlineMs = 500;
const reader = createCmdlineReader({ root: BIND_MOUNT, deadlineMs: readCmdlineDeadlineMs });
for (let times = Number(Deno.args[0]); times > 0; times--) {
  await scanProcesses({ root: BIND_MOUNT, patterns, reader, readCmdlineDeadlineMs });
}
reader.close();
