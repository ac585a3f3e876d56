/**
 * A log that never delays who writes it: lines are gathered while all is quiet, and written in the background. It begins
 * anew once it is large; the one before it is kept beside it, as `journal.1.jsonl`.
 */

import { describeFileError } from "./atomic_file.ts";
import { deadlineOf } from "./deadline.ts";
import { createLineLog, type LogOutcome } from "./line_log.ts";

/** About a day of lines of some hundred bytes every five seconds; two of them are kept. */
const SIZE_LIMIT_BYTES = 8 << 20;

/** On a quiet host the disk may sleep in between. */
const QUIET_MS = 60_000;

/** What waits for a disk that does not answer, in characters: half an hour of the longest lines, hours of the others. */
const GATHERED_LIMIT = 1 << 20;

/** How long an end waits for the last lines. */
const CLOSE_DEADLINE_MS = 2_000;

/** A line, and how much it matters. */
export interface GatheredLine {
  readonly text: string;
  /** Of a clock that no correction moves. */
  readonly atMs: number;
  /** Whether it may wait for others. */
  readonly isQuiet: boolean;
  /** What stands before it where a file begins, and after a gap. */
  readonly head?: () => string;
  /** Whether the head must be written in any case. */
  readonly isHeadDue?: boolean;
}

/** A log. Nothing here throws or rejects. */
export interface GatheredLog {
  readonly note: (line: GatheredLine) => void;
  /** Writes what is left, or gives up on a disk that does not answer. */
  readonly close: () => Promise<void>;
}

/** What a log works with. */
export interface GatheredLogPorts {
  readonly path: string;
  /** What it is called when it cannot be written. */
  readonly subject: string;
  /** Told once what could not be written, until it can. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
  /** Default: 8 MiB. */
  readonly sizeLimitBytes?: number;
}

/** Opens a log. What is there already stays, and what follows begins with a head. */
export function openGatheredLog(ports: GatheredLogPorts): GatheredLog {
  const { path, subject, tellChange, sizeLimitBytes = SIZE_LIMIT_BYTES } = ports;
  let log = createLineLog(path);
  let gathered: string[] = [];
  let gatheredLength = 0;
  /** Whether a new file may begin with what is gathered. */
  let beginsWithHead = true;
  let isHeadMissing = true;
  let lastWriteMs = -Infinity;
  let sizeBytes: number | undefined;
  let writing: Promise<void> | undefined;

  async function write(lines: readonly string[], mayBegin: boolean): Promise<void> {
    const outcome = (mayBegin ? await rotateAt(sizeLimitBytes) : undefined) ?? await log.append(lines);
    if (outcome.kind === "ok") {
      sizeBytes = lines.reduce((bytes, line) => bytes + line.length + 1, sizeBytes ?? 0);
    } else loseGathered();
    tellChange(subject, outcome.kind === "failed" ? outcome.error : undefined);
  }

  /** After a gap what follows needs a head, which what has been gathered has not. */
  function loseGathered(): void {
    gathered = [];
    gatheredLength = 0;
    isHeadMissing = true;
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
    gatheredLength = 0;
    writing = write(lines, beginsWithHead).catch(() => undefined).finally(() => writing = undefined);
  }

  function gather(line: string): void {
    gathered.push(line);
    gatheredLength += line.length;
  }

  return {
    note({ text, atMs, isQuiet, head, isHeadDue = false }: GatheredLine): void {
      if (gatheredLength >= GATHERED_LIMIT) {
        loseGathered();
        tellChange(subject, `Cannot write ${path}: the disk does not answer, lines are lost`);
      }
      const isFull = gathered.length === 0 && writing === undefined && (sizeBytes ?? 0) >= sizeLimitBytes;
      const takesHead = isHeadDue || isHeadMissing || isFull;
      if (gathered.length === 0) beginsWithHead = takesHead || head === undefined;
      if (takesHead && head !== undefined) gather(head());
      isHeadMissing = false;
      gather(text);
      if (isQuiet && atMs - lastWriteMs < QUIET_MS) return;
      lastWriteMs = atMs;
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
