/** Standard output and standard error. */

import { deadlineOf } from "../deadline.ts";

const encoder = new TextEncoder();

/** Where texts become bytes before they are written: one place, however much is printed, so that no garbage piles up. */
const buffer = new Uint8Array(64 * 1024);

/** Thrown when whoever reads standard output has gone, as `| head` does: the program ends quietly. */
export class OutputClosedError extends Error {
  override readonly name = "OutputClosedError";
}

/**
 * Writes a text to standard output as it is.
 *
 * @throws {OutputClosedError} If nobody reads it any more
 */
export function print(text: string): void {
  writeAll(Deno.stdout, text);
}

/** Writes a line to standard error; one that nobody reads is lost. */
export function complain(line: string): void {
  try {
    writeAll(Deno.stderr, `${line}\n`);
  } catch {
    // There is nowhere left to say it.
  }
}

type SyncWriter = Pick<typeof Deno.stdout, "writeSync">;

function writeAll(stream: SyncWriter, text: string): void {
  let rest = text;
  while (rest !== "") {
    const { read, written } = encoder.encodeInto(rest, buffer);
    writeBytes(stream, buffer.subarray(0, written));
    rest = rest.slice(read);
  }
}

function writeBytes(stream: SyncWriter, bytes: Uint8Array): void {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosedError("standard output is closed");
    throw error;
  }
}

/** Text that waits for a reader who does not read, in characters; what comes then is lost. */
const WAITING_LIMIT = 256 * 1024;

/** A stream that is written in the background. Nothing here throws or rejects. */
export interface BackgroundOutput {
  /** Takes a text and returns at once. */
  readonly write: (text: string) => void;
  /** Waits until all is written, or gives up on who does not read. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/**
 * Opens a stream for a program that must go on: its reader may be gone, be stuck as a log daemon on a disk that does not
 * answer, or be a file on a full disk. What cannot be written is lost.
 */
export function openBackgroundOutput(stream: Pick<typeof Deno.stdout, "write">): BackgroundOutput {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function writeWhole(text: string): Promise<void> {
    try {
      let rest: Uint8Array = encoder.encode(text);
      while (rest.length > 0) rest = rest.subarray(await stream.write(rest));
    } catch {
      // There is nowhere left to say it.
    }
    waiting -= text.length;
  }

  return {
    write(text: string): void {
      if (waiting + text.length > WAITING_LIMIT) return;
      waiting += text.length;
      last = last.then(() => writeWhole(text));
    },
    async close(deadlineMs: number): Promise<void> {
      await deadlineOf(deadlineMs, last);
    },
  };
}
