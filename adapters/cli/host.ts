/** A host ready to be looked at: settings, source of the readings, and what reads them. */

import { readUptimeMs } from "../boot.ts";
import { type Clock, createClock } from "../clock.ts";
import { runCommand } from "../command.ts";
import { createProcessReader, type ProcessReader } from "../process_reader.ts";
import { createSampler, type Sampler } from "../sampler.ts";
import { chooseSource, ProcRootError, type Source, type SourceChoice } from "../source.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { loadSettings, type Settings, type SettingsOptions } from "./settings.ts";

/** What the verbs that look at the host work with. */
export interface Host {
  readonly settings: Settings;
  readonly source: Source;
  /** The source, and why those that were tried first are not in use. */
  readonly sourceChoice: SourceChoice;
  readonly clock: Clock;
  readonly processes: ProcessReader;
  readonly sampler: Sampler;
}

/**
 * Opens the host by the flags `--config` and `--procfs`.
 *
 * @throws {UsageError} If a file or folder named by a flag cannot be used, unless the options say to go on without
 */
export async function openHost(args: Arguments, options: SettingsOptions = {}): Promise<Host> {
  const settings = await loadSettings(args, options);
  const { config } = settings;
  const sourceChoice = chooseNamedSource(args.value("procfs"), config.procfsPath, options);
  const { source } = sourceChoice;
  const processes = createProcessReader(source, runCommand);
  const backups = {
    patterns: { engines: config.backupEngines, orchestrators: config.backupOrchestrators },
    markerPath: config.backupMarkerPath,
  };
  const clock = createClock(readUptimeMs(source));
  const sampler = createSampler(source, { clock, run: runCommand, processes, backups });
  return { settings, source, sourceChoice, clock, processes, sampler };
}

function chooseNamedSource(
  named: string | undefined,
  configured: string | undefined,
  { whenNamedUnusable = "end" }: SettingsOptions,
): SourceChoice {
  try {
    return chooseSource(named, configured);
  } catch (error) {
    if (!(error instanceof ProcRootError)) throw error;
    if (whenNamedUnusable === "end") throw new UsageError(error.message);
    const { source, notes } = chooseSource(undefined, configured);
    return { source, notes: [`${error.message}; looking for another source`, ...notes] };
  }
}
