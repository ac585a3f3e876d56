/** Tells of readings that are missing, once until it changes. */

import type { Sample } from "../mod/ladder/sample.ts";
import { type Reading, whyMissing } from "../mod/reading.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** Tells what of a sample could not be read, and what can be again. */
export function tellMissing({ load, gate }: Sample, diagnostics: Diagnostics): void {
  tell("load", load);
  if (gate === undefined) return;
  tell("backups", gate.backups);
  tell("iowait", gate.iowaitPercent);
  tell("runnable tasks", gate.runnableTasks);
  // Both come from one kernel feature, so one notice is enough.
  tell("pressure", gate.psiCpuPercent);

  function tell(subject: string, reading: Reading<unknown>): void {
    diagnostics.tellChange(subject, whyMissing(reading));
  }
}
