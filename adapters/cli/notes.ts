/** What a person should know before trusting what follows. */

import type { Host } from "./host.ts";

/** One line each: problems of the configuration, sources that were passed over. */
export function notesOf({ settings, sourceChoice }: Host): readonly string[] {
  return [...settings.notes, ...sourceChoice.notes];
}
