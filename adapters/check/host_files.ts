/**
 * Files of the host, looked at and never changed. What cannot be looked at is as if it were not there, or
 * says why.
 */

import { messageOf } from "../../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../../mod/reading.ts";

/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** Whether it is a file, or a link to one. */
  readonly isFile: boolean;
  /** Whether it is a folder, or a link to one. */
  readonly isFolder: boolean;
  /** Whether others may run it. */
  readonly isExecutable: boolean;
  /** Where a link points to, as written; undefined for what is no link. */
  readonly linkTarget: string | undefined;
}

/** Looks at files by their absolute paths. */
export interface HostFiles {
  /** The text of a file. Never throws. */
  readonly readText: (path: string) => Reading<string>;
  /** What is in a folder, by name; empty when it cannot be listed. Never throws. */
  readonly list: (folder: string) => readonly FolderEntry[];
  /** Whether there is something at a path, a link to nothing not counted. Never throws. */
  readonly exists: (path: string) => boolean;
  /** Where a link points to; undefined when it is none. Never throws. */
  readonly maybeLinkTarget: (path: string) => string | undefined;
}

/** Larger than any file that people write, small enough to be read by the thousand. */
const SIZE_LIMIT_BYTES = 1 << 20;

const EXECUTABLE = 0o111;

/**
 * Files below a folder, for paths that count from it.
 *
 * @param prefix Folder that stands for `/`, without closing slash; none is the host itself
 */
export function createHostFiles(prefix = ""): HostFiles {
  return {
    readText(path: string): Reading<string> {
      try {
        const info = Deno.statSync(prefix + path);
        // Reading a named pipe would wait for somebody to write into it.
        if (!info.isFile) return failed(`Cannot read ${path}: not a regular file`);
        if (info.size > SIZE_LIMIT_BYTES) {
          return failed(`Cannot read ${path}: ${info.size} bytes, expected at most ${SIZE_LIMIT_BYTES}`);
        }
        return ok(Deno.readTextFileSync(prefix + path));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return absent(`there is no ${path}`);
        return failed(`Cannot read ${path}: ${messageOf(error)}`);
      }
    },
    list(folder: string): readonly FolderEntry[] {
      try {
        return [...Deno.readDirSync(prefix + folder)]
          .map(({ name }) => entryOf(name, `${prefix}${folder}/${name}`))
          .sort((a, b) => a.name < b.name ? -1 : 1);
      } catch {
        return [];
      }
    },
    exists: (path) => maybeInfo(prefix + path) !== undefined,
    maybeLinkTarget: (path) => maybeLinkTarget(prefix + path),
  };
}

function entryOf(name: string, path: string): FolderEntry {
  const info = maybeInfo(path);
  return {
    name,
    isFile: info?.isFile ?? false,
    isFolder: info?.isDirectory ?? false,
    isExecutable: ((info?.mode ?? 0) & EXECUTABLE) !== 0,
    linkTarget: maybeLinkTarget(path),
  };
}

function maybeInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function maybeLinkTarget(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}
