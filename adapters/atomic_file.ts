/**
 * Writes small files that are always whole: whoever reads one sees what was there before, or all of the new
 * text, whatever ended the writer in between.
 *
 * The text goes into a file beside it, named after the process that writes it (`ledger.json.4120.new`), which
 * then takes the place of the other.
 */

import { messageOf } from "../mod/errors.ts";
import { removeQuietly } from "./quiet_file.ts";

/** Whether something was written. */
export type WriteOutcome =
  | { readonly kind: "ok" }
  /** What failed, on what, why and what to do about it, as one line. */
  | { readonly kind: "failed"; readonly error: string };

/** How a file is written. */
export interface AtomicOptions {
  /** Whether it is flushed to the disk first, with its folder, so that it outlives a crash of the host. */
  readonly durable: boolean;
  /** Who may read it. Default: 0o600, root alone. */
  readonly mode?: number;
}

/** What to do about the system errors that a person can do something about. */
const CURES: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on its file system, make room there",
  EDQUOT: "no space left in the quota, make room there",
  EROFS: "its file system is read-only, remount it for writing",
  ENOENT: "its folder is not there, make it",
  ENOTDIR: "its folder is no folder, move that file away",
  EISDIR: "it is a folder, move that away",
  EACCES: "permission denied, run this as root",
  EPERM: "the system does not permit it, look for the immutable flag with lsattr",
  EIO: "the disk fails, look at dmesg",
};

/** Writes a text whole or not at all. Nothing else in the folder changes. Never throws. */
export function writeAtomically(
  path: string,
  text: string,
  { durable, mode = 0o600 }: AtomicOptions,
): WriteOutcome {
  const temporary = `${path}.${Deno.pid}.new`;
  try {
    // Left by a process that had the same pid; opened anew, so that a link in its place is not followed.
    removeIfThere(temporary);
    writeNew(temporary, new TextEncoder().encode(text), durable, mode);
    Deno.renameSync(temporary, path);
    if (durable) flushFolder(path);
    return { kind: "ok" };
  } catch (error) {
    removeQuietly(temporary);
    return { kind: "failed", error: `Cannot write ${path}: ${describeFileError(error, path)}` };
  }
}

/**
 * The same for a file on a disk, which may take its time on a busy host: the program goes on meanwhile. It is
 * flushed, and for root alone, unless the options say otherwise. One writer at a time, so that the file beside it is always called `….new`. Never
 * rejects.
 */
export async function writeInBackground(
  path: string,
  text: string,
  { durable, mode = 0o600 }: AtomicOptions = { durable: true },
): Promise<WriteOutcome> {
  const temporary = `${path}.new`;
  try {
    await Deno.remove(temporary).catch((error) => ignoreMissing(error));
    using file = await Deno.open(temporary, { write: true, createNew: true, mode });
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
    if (durable) await file.sync();
    await Deno.rename(temporary, path);
    return { kind: "ok" };
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    return { kind: "failed", error: `Cannot write ${path}: ${describeFileError(error, path)}` };
  }
}

/**
 * Removes what writers of this file left that were ended half-way. Call it where no other process may be
 * writing the file. Never throws.
 *
 * @returns How many there were
 */
export function removeUnfinished(path: string): number {
  const slash = path.lastIndexOf("/");
  const folder = path.slice(0, slash);
  const prefix = `${path.slice(slash + 1)}.`;
  let count = 0;
  for (const name of listNames(folder)) {
    if (!name.startsWith(prefix) || !/^\d+\.new$/.test(name.slice(prefix.length))) continue;
    if (removeQuietly(`${folder}/${name}`)) count += 1;
  }
  return count;
}

/** Why a file could not be written or read, in words that say what to do. Never throws. */
export function describeFileError(error: unknown, path: string): string {
  if (error instanceof Deno.errors.NotCapable) return `this program has no permission for ${path}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return CURES[code] ?? messageOf(error);
}

/** Opening a new file fails where there is one already, also where that is a link. */
function writeNew(path: string, bytes: Uint8Array, durable: boolean, mode: number): void {
  using file = Deno.openSync(path, { write: true, createNew: true, mode });
  for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
  if (durable) file.syncSync();
}

/** Makes the rename outlive a crash. Where the file system cannot do that, the file is whole anyway. */
function flushFolder(path: string): void {
  try {
    using folder = Deno.openSync(path.slice(0, path.lastIndexOf("/")) || "/");
    folder.syncSync();
  } catch {
    // The text has been written: reporting a failure would say the opposite.
  }
}

/** @throws What `Deno.removeSync` throws, but for a file that is not there */
function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    ignoreMissing(error);
  }
}

/** @throws Any other error than that of a file that is not there */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

function listNames(folder: string): readonly string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}
