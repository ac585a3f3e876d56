/** What a person should know before trusting what follows. */

import { maybeValue } from "../../mod/reading.ts";
import { createHostFiles } from "../check/host_files.ts";
import { viewContainer } from "../check/sensors.ts";
import type { Host } from "./host.ts";

/** One line each: problems of the configuration, sources that were passed over. */
export function notesOf({ settings, sourceChoice }: Host): readonly string[] {
  return [...settings.notes, ...sourceChoice.notes];
}

/** That the load is not this container's own, in words; undefined when nothing speaks for it. */
export async function maybeForeignLoad(
  { processes, sourceChoice, settings }: Host,
): Promise<string | undefined> {
  const { backupEngines: engines, backupOrchestrators: orchestrators } = settings.config;
  const patterns = { backups: { engines, orchestrators }, runaways: [], webTier: false };
  const table = await processes.read(patterns, "everything");
  const why = viewContainer(sourceChoice.source, maybeValue(table), createHostFiles()).hostLoad;
  return why === undefined ? undefined : `the load is that of the host around this container: ${why}`;
}
