/**
 * The file of the crawler block under its two names: which one is there, whether it may be trusted, and its
 * renaming.
 */

import { messageOf } from "../../mod/errors.ts";
import { BLOCK_MARK } from "../../mod/nginx/block_conf.ts";
import {
  CRAWLER_BLOCKS,
  type CrawlerBlockPaths,
  type CrawlerBlockState,
} from "../../mod/nginx/crawler_block.ts";
import { isRoot } from "../is_root.ts";

/** Which of its two files is there; `unreadable` when that cannot be told. */
export type BlockState = CrawlerBlockState | "unreadable";

/** Write permission of the group and of all others. */
const WRITABLE_BY_OTHERS = 0o022;

/** How much of a file is its header, in bytes: a mark further down is not one. */
const HEADER_BYTES = 4_096;

/** Reads which of the two files of a block is there. Never throws. */
export function readCrawlerBlock(
  profile: "generic" | "boa",
  paths: CrawlerBlockPaths = CRAWLER_BLOCKS[profile],
): BlockState {
  try {
    const [isOn, isOff] = [maybeInfo(paths.on), maybeInfo(paths.off)].map((info) => info !== undefined);
    if (isOn) return isOff ? "both" : "on";
    return isOff ? "off" : "absent";
  } catch {
    return "unreadable";
  }
}

/**
 * Whether a block that is on may be switched off by one who does not remember to have switched it on, as
 * after a reboot. BOA's is switched by nobody else; another one has to carry the mark in its header. Never
 * throws.
 */
export function isOurs(
  profile: "generic" | "boa",
  { on, off }: CrawlerBlockPaths = CRAWLER_BLOCKS[profile],
): boolean {
  if (profile === "boa") return true;
  try {
    // A link is not followed, and a named pipe would keep the program waiting.
    const path = [on, off].find((name) => maybeInfo(name)?.isFile);
    if (path === undefined) return false;
    using file = Deno.openSync(path);
    const buffer = new Uint8Array(HEADER_BYTES);
    const count = file.readSync(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, count)).split(/\r?\n/).includes(BLOCK_MARK);
  } catch {
    return false;
  }
}

/**
 * Why the file is not one that root may put into nginx's configuration: a link would bring in what it points
 * to, and whoever may write the file or its folder writes that configuration. Undefined when it is one.
 * Throws when it cannot be looked at.
 */
export function whyDistrusted(path: string, { on }: CrawlerBlockPaths): string | undefined {
  const folder = folderOf(on);
  for (
    const [place, isRight, kind] of [[folder, "isDirectory", "folder"], [path, "isFile", "file"]] as const
  ) {
    const info = Deno.lstatSync(place);
    if (!info[isRight]) {
      return `${place} is ${info.isSymlink ? "a link" : "something else"}, expected a ${kind}`;
    }
    if (!isRoot()) continue;
    if (info.uid !== 0) {
      return `${place} is owned by uid ${info.uid}, expected root (run: chown root: ${place})`;
    }
    if (((info.mode ?? 0) & WRITABLE_BY_OTHERS) !== 0) {
      const mode = ((info.mode ?? 0) & 0o777).toString(8);
      return `${place} has mode ${mode}, so that others may write it (run: chmod go-w ${place})`;
    }
  }
  return undefined;
}

/** Renames the file. Gives what went wrong, with its cure where that is known; never throws. */
export function maybeRenameProblem(from: string, to: string): string | undefined {
  try {
    Deno.renameSync(from, to);
    return undefined;
  } catch (error) {
    // A folder that was not there when the unit was started is read-only in its sandbox until the next start.
    const isReadOnly = error instanceof Error && "code" in error && error.code === "EROFS";
    const cure = isReadOnly ? " (restart loadweir, whose sandbox took the folder as it was)" : "";
    return `Cannot rename ${from} to ${to}: ${messageOf(error)}${cure}`;
  }
}

/** A state in which nothing can be switched, with its cure. Never throws. */
export function describeState(
  state: "absent" | "both" | "unreadable",
  { on, off }: CrawlerBlockPaths,
): string {
  switch (state) {
    case "absent":
      return `there is neither ${off} nor ${on}, expected one of them ` +
        `(run: install -d ${folderOf(off)} && loadweir print nginx-block > ${off})`;
    case "both":
      return `there are both ${off} and ${on}, expected one of them, remove the one that is out of date`;
    case "unreadable":
      return `whether ${off} or ${on} is there could not be read`;
  }
}

/** The folder that a file is in. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** What is at a path, a link not followed; undefined for nothing. Throws when that cannot be told. */
function maybeInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
