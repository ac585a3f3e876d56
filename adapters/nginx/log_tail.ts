/** Reads what is added to a log from now on, also when it is rotated or emptied meanwhile. */

import { messageOf } from "../../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../../mod/reading.ts";

/** A log from one moment on. */
export interface LogTail {
  /** The whole lines that were added since the last call. Never throws. */
  readonly readNew: () => Reading<string>;
}

const CHUNK_BYTES = 64 * 1024;

/** Read in one call; the rest comes with the next one. A crawler storm writes a few MB a second. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** A log, from its present end on; one that is not there yet, from its beginning. Never throws. */
export function tailLog(path: string): LogTail {
  let { inode, offset } = endOf(path);
  let rest = "";

  function read(): Reading<string> {
    // A named pipe would keep the program waiting as soon as it is opened.
    if (!Deno.statSync(path).isFile) return failed(`Cannot read ${path}: not a regular file`);
    using file = Deno.openSync(path);
    const info = file.statSync();
    if (info.ino !== inode || info.size < offset) {
      inode = info.ino;
      offset = 0;
      rest = "";
    }
    file.seekSync(offset, Deno.SeekMode.Start);
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(CHUNK_BYTES);
    let text = rest;
    for (let total = 0; total < LIMIT_BYTES;) {
      const count = file.readSync(buffer);
      if (count === null) break;
      total += count;
      offset += count;
      text += decoder.decode(buffer.subarray(0, count), { stream: true });
    }
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    return ok(text.slice(0, end));
  }

  return {
    readNew(): Reading<string> {
      try {
        return read();
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return absent(`there is no ${path}`);
        if (error instanceof Deno.errors.NotCapable) return absent(`this program may not read ${path}`);
        return failed(`Cannot read ${path}: ${messageOf(error)}`);
      }
    },
  };
}

function endOf(path: string): { inode: number | null; offset: number } {
  try {
    const { ino, size } = Deno.statSync(path);
    return { inode: ino, offset: size };
  } catch {
    return { inode: null, offset: 0 };
  }
}
