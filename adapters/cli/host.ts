/** A host ready to be looked at: settings, source of the readings, and what reads them. */

import { type Clock, systemClock } from "../clock.ts";
import { runCommand } from "../command.ts";
import { createProcessReader, type ProcessReader } from "../process_reader.ts";
import { createSampler, type Sampler } from "../sampler.ts";
import { chooseSource, ProcRootError, type Source } from "../source.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { loadSettings, type Settings } from "./settings.ts";

/** What the verbs that look at the host work with. */
export interface Host {
  readonly settings: Settings;
  readonly source: Source;
  /** Why sources that were tried first are not in use. */
  readonly sourceNotes: readonly string[];
  readonly clock: Clock;
  readonly processes: ProcessReader;
  readonly sampler: Sampler;
}

/**
 * Opens the host by the flags `--config` and `--procfs`.
 *
 * @throws {UsageError} If a file or folder named by a flag cannot be used
 */
export async function openHost(args: Arguments): Promise<Host> {
  const settings = await loadSettings(args);
  const { config } = settings;
  const { source, notes } = chooseNamedSource(args.value("procfs"), config.procfsPath);
  const processes = createProcessReader(source, runCommand);
  const backups = {
    patterns: { engines: config.backupEngines, orchestrators: config.backupOrchestrators },
    markerPath: config.backupMarkerPath,
  };
  const sampler = createSampler(source, { clock: systemClock, run: runCommand, processes, backups });
  return { settings, source, sourceNotes: notes, clock: systemClock, processes, sampler };
}

function chooseNamedSource(
  named: string | undefined,
  configured: string | undefined,
): ReturnType<typeof chooseSource> {
  try {
    return chooseSource(named, configured);
  } catch (error) {
    if (error instanceof ProcRootError) throw new UsageError(error.message);
    throw error;
  }
}
