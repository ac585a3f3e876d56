/**
 * The journal: every sample of an armed agent and what was decided, so that an incident can be replayed afterwards, on any
 * machine and with other settings.
 *
 * It never delays a pass: lines are gathered while all is quiet, and written in the background.
 */

import { recordOfSample } from "../mod/recording/record_of_sample.ts";
import { decidedOf } from "../mod/replay/decision_record.ts";
import { isJournalHead, renderJournalHead } from "../mod/replay/journal_head.ts";
import type { LadderRules } from "../mod/ladder/rules.ts";
import type { Pass } from "./agent.ts";
import { describeFileError } from "./atomic_file.ts";
import { deadlineOf } from "./deadline.ts";
import { createLineLog, type LogOutcome } from "./line_log.ts";

/** Where the journal of an agent is; the one before it is beside it, as `journal.1.jsonl`. */
export const JOURNAL_PATH = "/var/log/loadweir/journal.jsonl";

/** About a day at a pass every five seconds; two of them are kept. */
const SIZE_LIMIT_BYTES = 8 << 20;

/** On a quiet host the disk may sleep in between. */
const QUIET_MS = 60_000;

/** Lines that wait for a disk that does not answer: some hours, and less than a megabyte. */
const GATHERED_LIMIT = 2_000;

/** How long an end waits for the last lines. */
const CLOSE_DEADLINE_MS = 2_000;

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
export function openJournal(ports: JournalPorts): Journal {
  const { path, version, settingsOf, tellChange, sizeLimitBytes = SIZE_LIMIT_BYTES } = ports;
  let log = createLineLog(path);
  let gathered: string[] = [];
  let lastRules: LadderRules | undefined;
  let lastWriteMs = -Infinity;
  let sizeBytes: number | undefined;
  let writing: Promise<void> | undefined;

  async function write(lines: readonly string[]): Promise<void> {
    const rotated = isJournalHead(lines[0] ?? "") ? await rotateAt(sizeLimitBytes) : undefined;
    const outcome = rotated ?? await log.append(lines);
    if (outcome.kind === "ok") {
      sizeBytes = lines.reduce((bytes, line) => bytes + line.length + 1, sizeBytes ?? 0);
    } else loseGathered();
    tellChange("journal", outcome.kind === "failed" ? outcome.error : undefined);
  }

  /** After a gap what follows needs a head, which what has been gathered has not. */
  function loseGathered(): void {
    gathered = [];
    lastRules = undefined;
  }

  /** Begins a new file once this one is large; gives what failed. */
  async function rotateAt(limitBytes: number): Promise<LogOutcome | undefined> {
    sizeBytes ??= await sizeOf(path);
    if (sizeBytes < limitBytes) return undefined;
    try {
      await Deno.rename(path, path.replace(/(\.\w+)$/, ".1$1"));
    } catch (error) {
      return { kind: "failed", error: `Cannot rename ${path}: ${describeFileError(error, path)}` };
    }
    sizeBytes = 0;
    log = createLineLog(path);
    return undefined;
  }

  function flush(): void {
    if (writing !== undefined || gathered.length === 0) return;
    const lines = gathered;
    gathered = [];
    writing = write(lines).catch(() => undefined).finally(() => writing = undefined);
  }

  return {
    note({ before, sample, decision, rules }: Pass): void {
      if (gathered.length >= GATHERED_LIMIT) {
        loseGathered();
        tellChange("journal", `Cannot write ${path}: the disk does not answer, lines are lost`);
      }
      const isFull = gathered.length === 0 && writing === undefined && (sizeBytes ?? 0) >= sizeLimitBytes;
      if (rules !== lastRules || isFull) {
        gathered.push(renderJournalHead({
          version,
          wallMs: sample.wallMs,
          settings: settingsOf(rules),
          drasticAllowed: rules.drasticAllowed,
          state: before,
        }));
        lastRules = rules;
      }
      gathered.push(JSON.stringify({ ...recordOfSample(sample, 0), decided: decidedOf(decision) }));
      const isQuiet = decision.tier === "normal" && decision.actions.length === 0 && !decision.paused;
      if (isQuiet && sample.monotonicMs - lastWriteMs < QUIET_MS) return;
      lastWriteMs = sample.monotonicMs;
      flush();
    },
    async close(): Promise<void> {
      await deadlineOf(CLOSE_DEADLINE_MS, (writing ?? Promise.resolve()).then(flush));
      await deadlineOf(CLOSE_DEADLINE_MS, writing ?? Promise.resolve());
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch {
    return 0;
  }
}
