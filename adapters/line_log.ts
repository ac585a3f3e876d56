/**
 * A log of lines: appended to, and read from its end.
 *
 * Nothing waits for it: lines are written one after the other in the background, and what cannot be written
 * is an outcome.
 */

import { describeFileError } from "./atomic_file.ts";
import { deadlineOf } from "./deadline.ts";

/** Whether lines were written. */
export type LogOutcome =
  | { readonly kind: "ok" }
  /** What failed, on what, why and what to do about it, as one line. */
  | { readonly kind: "failed"; readonly error: string };

/** One log file. No function of it ever rejects. */
export interface LineLog {
  /** Appends lines, given without their line ends; calls are written in their order. */
  readonly append: (lines: readonly string[]) => Promise<LogOutcome>;
  /** The last lines, the oldest first; empty where there is no log or it cannot be read. */
  readonly tail: (lineCount: number) => Promise<readonly string[]>;
}

/** Lines that wait while the disk does not answer; what comes then is lost, and the outcome says so. */
const WAITING_LIMIT = 1_000;

/** Read from the end: 200 lines of 600 bytes. */
const TAIL_BYTES = 128 * 1024;

/** How long to wait for a disk that does not answer. */
const TAIL_DEADLINE_MS = 2_000;

/** Root and the group of those who read logs. */
const MODE = 0o640;
const FOLDER_MODE = 0o750;

const NEWLINE = "\n".charCodeAt(0);

/** The log at a path; it is made with the first line, with its folder. */
export function createLineLog(path: string): LineLog {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** A write may have ended within a line, so that the next one has to begin a new one. */
  let isTorn: boolean | undefined;

  async function write(text: string): Promise<LogOutcome> {
    try {
      isTorn ??= await endsWithinLine(path);
      await append(path, isTorn ? `\n${text}` : text);
      isTorn = false;
      return { kind: "ok" };
    } catch (error) {
      isTorn = true;
      return { kind: "failed", error: `Cannot write ${path}: ${describeFileError(error, path)}` };
    }
  }

  return {
    async append(lines: readonly string[]): Promise<LogOutcome> {
      if (lines.length === 0) return { kind: "ok" };
      if (waiting + lines.length > WAITING_LIMIT) {
        return { kind: "failed", error: `Cannot write ${path}: the disk does not answer, lines are lost` };
      }
      waiting += lines.length;
      const outcome = last.then(() => write(lines.map((line) => `${line}\n`).join("")));
      last = outcome;
      try {
        return await outcome;
      } finally {
        waiting -= lines.length;
      }
    },
    async tail(lineCount: number): Promise<readonly string[]> {
      return await deadlineOf(TAIL_DEADLINE_MS, readTail(path, lineCount)) ?? [];
    },
  };
}

async function append(path: string, text: string): Promise<void> {
  const options = { append: true, create: true, mode: MODE };
  try {
    await Deno.writeTextFile(path, text, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    // On a bare host nobody else has made it.
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: FOLDER_MODE });
    await Deno.writeTextFile(path, text, options);
  }
}

/** Whether whoever wrote last was ended within a line, as when the host lost its power. */
async function endsWithinLine(path: string): Promise<boolean> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile || size === 0) return false;
    using file = await Deno.open(path);
    await file.seek(-1, Deno.SeekMode.End);
    const end = new Uint8Array(1);
    return await file.read(end) === 1 && end[0] !== NEWLINE;
  } catch {
    return false;
  }
}

async function readTail(path: string, lineCount: number): Promise<readonly string[]> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return [];
    using file = await Deno.open(path);
    const start = Math.max(0, size - TAIL_BYTES);
    await file.seek(start, Deno.SeekMode.Start);
    const buffer = new Uint8Array(TAIL_BYTES);
    let length = 0;
    while (length < buffer.length) {
      const count = await file.read(buffer.subarray(length));
      if (count === null) break;
      length += count;
    }
    const lines = new TextDecoder().decode(buffer.subarray(0, length)).split("\n");
    if (lines.at(-1) === "") lines.pop();
    // The first one is cut somewhere.
    if (start > 0) lines.shift();
    return lines.slice(-lineCount);
  } catch {
    return [];
  }
}
