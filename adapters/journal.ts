/**
 * The journal: every sample of an armed agent and what was decided, so that an incident can be replayed afterwards, on any
 * machine and with other settings.
 */

import { recordOfSample } from "../mod/recording/record_of_sample.ts";
import { decidedOf } from "../mod/replay/decision_record.ts";
import { renderJournalHead } from "../mod/replay/journal_head.ts";
import { isDue } from "../mod/ladder/state.ts";
import type { LadderRules } from "../mod/ladder/rules.ts";
import type { Pass } from "./agent.ts";
import { openGatheredLog } from "./gathered_log.ts";

/** Where the journal of an agent is; the one before it is beside it, as `journal.1.jsonl`. */
export const JOURNAL_PATH = "/var/log/loadweir/journal.jsonl";

/** A journal. Nothing here throws or rejects. */
export interface Journal {
  /** Takes an evaluation. */
  readonly note: (pass: Pass) => void;
  /** Writes what is left, or gives up on a disk that does not answer. */
  readonly close: () => Promise<void>;
}

/** What a journal works with. */
export interface JournalPorts {
  readonly path: string;
  readonly version: string;
  /** The settings behind some rules that are not the default, as `section.key=value`. */
  readonly settingsOf: (rules: LadderRules) => readonly string[];
  /** Told once what could not be written, until it can. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
  /** Default: 8 MiB. */
  readonly sizeLimitBytes?: number;
}

/** Opens a journal. What is there already stays, and what follows has a head of its own. */
export function openJournal({ version, settingsOf, ...ports }: JournalPorts): Journal {
  const log = openGatheredLog({ ...ports, subject: "journal" });
  let lastRules: LadderRules | undefined;
  return {
    note({ before, sample, decision, rules }: Pass): void {
      log.note({
        text: JSON.stringify({
          ...recordOfSample(sample, 0),
          ...isDue(before, sample.monotonicMs) ? {} : { asked: true },
          decided: decidedOf(decision),
        }),
        atMs: sample.monotonicMs,
        isQuiet: decision.tier === "normal" && decision.actions.length === 0 && !decision.paused,
        head: () =>
          renderJournalHead({
            version,
            wallMs: sample.wallMs,
            settings: settingsOf(rules),
            drasticAllowed: rules.drasticAllowed,
            state: before,
          }),
        isHeadDue: rules !== lastRules,
      });
      lastRules = rules;
    },
    close: log.close,
  };
}
