/** The journal of pressure: every evaluation, for `explain` and for a replay. */

import type { PressureEvaluation } from "../../mod/pressure/pressure.ts";
import { renderPressureJournal } from "../../mod/replay/pressure_journal.ts";
import { type GatheredLogPorts, openGatheredLog } from "../gathered_log.ts";

/** Where the journal is; the one before it is beside it, as `pressure.1.jsonl`. */
export const PRESSURE_JOURNAL_PATH = "/var/log/loadweir/pressure.jsonl";

/** A journal. Nothing here throws or rejects. */
export interface PressureJournal {
  readonly note: (evaluation: PressureEvaluation) => void;
  /** Writes what is left, or gives up on a disk that does not answer. */
  readonly close: () => Promise<void>;
}

/** Opens a journal. What is there already stays. */
export function openPressureJournal(ports: Omit<GatheredLogPorts, "subject">): PressureJournal {
  const log = openGatheredLog({ ...ports, subject: "pressure journal" });
  return {
    note(evaluation): void {
      log.note({
        text: renderPressureJournal(evaluation),
        atMs: evaluation.atMs,
        isQuiet: evaluation.class === "Unknown" && evaluation.action === "None",
      });
    },
    close: log.close,
  };
}
