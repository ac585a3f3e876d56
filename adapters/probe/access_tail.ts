/**
 * What is added to an access log between two looks, a bounded part of it.
 *
 * The log is on a disk, which may hang: nothing here waits for it in the loop of the agent. Whoever may write
 * into the log's folder could put a named pipe there, which would never open, so that only regular files are
 * opened, and without anybody waiting for it.
 */

import { messageOf } from "../../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../../mod/reading.ts";

/** What was added. */
export interface AddedLines {
  /** Whole lines. */
  readonly lines: readonly string[];
  /** Bytes that came and were passed over, because there were too many for one look. */
  readonly skippedBytes: number;
}

/** Reads a log from its present end on. */
export interface AccessTail {
  /** Rejects with nothing; while one call is under way there must be no other. */
  readonly readNew: () => Promise<Reading<AddedLines>>;
}

/** Read in one look, from the end: some 5 000 lines, a thousand answers a second. */
export const LOOK_LIMIT_BYTES = 1 << 20;

/** A line that is longer is none; what has no end yet is kept up to here. */
const REST_LIMIT_BYTES = 65_536;

const LINE_END = 0x0a;

/** Makes a tail. A log that is not there yet is read from its beginning once it is. */
export function createAccessTail(path: string): AccessTail {
  /** Undefined before the first look; a file without inode is one that was not there. */
  let place: { readonly inode: number | null; readonly offset: number } | undefined;
  let rest: Uint8Array = new Uint8Array();

  async function read(): Promise<Reading<AddedLines>> {
    const info = await Deno.stat(path);
    if (!info.isFile) return failed(`Cannot read ${path}: not a regular file`);
    if (place === undefined) {
      place = { inode: info.ino, offset: info.size };
      return ok({ lines: [], skippedBytes: 0 });
    }
    // Rotated: another file has the name. Emptied: it is shorter than what was read of it.
    if (info.ino !== place.inode || info.size < place.offset) {
      place = { inode: info.ino, offset: 0 };
      rest = new Uint8Array();
    }
    if (info.size === place.offset) return ok({ lines: [], skippedBytes: 0 });
    const from = Math.max(place.offset, info.size - LOOK_LIMIT_BYTES);
    const skippedBytes = from - place.offset;
    const bytes = await readBytes(path, from, info.size - from);
    place = { inode: info.ino, offset: from + bytes.length };
    return ok({ lines: takeLines(bytes, skippedBytes > 0), skippedBytes });
  }

  /** The whole lines, together with the beginning of the first that the look before has left. */
  function takeLines(bytes: Uint8Array, isCut: boolean): readonly string[] {
    const begin = isCut ? bytes.indexOf(LINE_END) + 1 : 0;
    const end = bytes.lastIndexOf(LINE_END) + 1;
    const decoder = new TextDecoder();
    const head = isCut || end === 0 ? "" : decoder.decode(rest, { stream: true });
    const text = head + decoder.decode(bytes.subarray(begin, Math.max(begin, end)));
    const left = end === 0 && !isCut ? joined(rest, bytes) : bytes.slice(end);
    rest = left.length > REST_LIMIT_BYTES ? new Uint8Array() : left;
    return text === "" ? [] : text.split("\n").slice(0, -1);
  }

  return {
    async readNew(): Promise<Reading<AddedLines>> {
      try {
        return await read();
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) {
          place = { inode: null, offset: 0 };
          return absent(`there is no ${path}`);
        }
        if (error instanceof Deno.errors.NotCapable) return failed(`this binary may not read ${path}`);
        return failed(`Cannot read ${path}: ${messageOf(error)}`);
      }
    },
  };
}

async function readBytes(path: string, from: number, length: number): Promise<Uint8Array> {
  using file = await Deno.open(path);
  await file.seek(from, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
