/**
 * Reading a file that decides what root does: only one that nobody but root could have written.
 *
 * Whoever may write the file, the link to it or the folder it is in may also decide. Run by anybody else than
 * root, the program can do no more than its user, so then every readable file will do.
 */

import { messageOf } from "../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../mod/reading.ts";

/** Far above any settings file, far below what would be felt in memory. */
const SIZE_LIMIT_BYTES = 1 << 20;

/** Write permission of the group and of all others. */
const WRITABLE_BY_OTHERS = 0o022;

/** In a folder with this bit only the owner of a file may replace it, as in /tmp. */
const STICKY = 0o1000;

/**
 * Reads a text file, refusing one that others than root may change.
 *
 * Owner and mode are those of the opened file, so that it cannot be exchanged in between. A folder that this
 * program may not look at is not checked.
 *
 * @param asRoot Whether to make sure that only root may write it
 * @returns The text without byte order mark, each unreadable byte as U+FFFD; absent when there is no such
 * file; failed with what was seen, what was expected and the cure. Never rejects.
 */
export async function readTrustedFile(path: string, asRoot: boolean): Promise<Reading<string>> {
  try {
    const link = await Deno.lstat(path);
    // A named pipe would keep the program waiting as soon as it is opened.
    if (!(await Deno.stat(path)).isFile) return failed("not a regular file");
    const distrust = asRoot ? await whyDistrustedPlace(path, link) : undefined;
    if (distrust !== undefined) return failed(distrust);
    using file = await Deno.open(path);
    const info = await file.stat();
    const ownDistrust = asRoot ? whyDistrusted(info, path) : undefined;
    if (ownDistrust !== undefined) return failed(ownDistrust);
    return await readText(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return await describeMissing(path);
    return failed(describeRefusal(error, path));
  }
}

/**
 * Whether this is root, which is also assumed where the sandbox does not tell: then more is refused, never
 * less.
 */
export function isRoot(): boolean {
  try {
    return Deno.uid() === 0;
  } catch {
    return true;
  }
}

/** Reads all of an open file, up to 1 MiB. Rejects when reading fails. */
export async function readText(
  file: { read: (buffer: Uint8Array) => Promise<number | null> },
): Promise<Reading<string>> {
  const buffer = new Uint8Array(SIZE_LIMIT_BYTES + 1);
  let length = 0;
  while (length <= SIZE_LIMIT_BYTES) {
    const count = await file.read(buffer.subarray(length));
    if (count === null) return ok(new TextDecoder().decode(buffer.subarray(0, length)));
    length += count;
  }
  return failed(`larger than ${SIZE_LIMIT_BYTES} bytes, expected a settings file`);
}

/** Why somebody else than root could put another file in this place; undefined when nobody could. */
async function whyDistrustedPlace(path: string, link: Deno.FileInfo): Promise<string | undefined> {
  if (link.isSymlink && link.uid !== 0) {
    return `a link owned by uid ${link.uid}, expected root (run: chown -h root: ${path})`;
  }
  const target = await Deno.realPath(path);
  for (const folder of new Set([folderOf(path), folderOf(target)])) {
    const info = await maybeStat(folder);
    if (info === undefined) continue;
    const others = (info.mode ?? 0) & WRITABLE_BY_OTHERS;
    if (info.uid !== 0) {
      return `in folder ${folder} owned by uid ${info.uid}, expected root (run: chown root: ${folder})`;
    }
    if (others !== 0 && ((info.mode ?? 0) & STICKY) === 0) {
      return `in folder ${folder} that others may write (run: chmod go-w ${folder})`;
    }
  }
  return undefined;
}

/**
 * Why somebody else than root could have written a file, as its owner and mode say; undefined when nobody could.
 * Never throws.
 */
export function whyDistrusted(info: Deno.FileInfo, path: string): string | undefined {
  if (info.uid !== 0) return `owned by uid ${info.uid}, expected root (run: chown root: ${path})`;
  if (((info.mode ?? 0) & WRITABLE_BY_OTHERS) === 0) return undefined;
  const mode = ((info.mode ?? 0) & 0o777).toString(8);
  return `mode is ${mode}, so that others may write it (run: chmod go-w ${path})`;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash) || "/";
}

/** The folder as it is, or undefined where the sandbox does not let this program look. */
async function maybeStat(folder: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(folder);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** A path without a file: nothing there at all, or a link to nothing, which somebody meant to be read. */
async function describeMissing(path: string): Promise<Reading<never>> {
  try {
    await Deno.lstat(path);
    return failed("a link to a file that is not there");
  } catch {
    return absent("not there");
  }
}

function describeRefusal(error: unknown, path: string): string {
  if (error instanceof Deno.errors.NotCapable) return `this program has no permission to read ${path}`;
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied, readable for root only";
  return messageOf(error);
}
