/**
 * `/proc/<pid>/status`: a process in words. Taken from it is what `stat` does not say or says in pages.
 *
 *     Name:	php
 *     Uid:	33	33	33	33
 *     VmRSS:	   47492 kB
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */

import { ParseError } from "../errors.ts";

/** What is taken of one `/proc/<pid>/status`. */
export interface PidStatus {
  /** Effective user id: what it may do, whatever it was started as. */
  readonly uid: number;
  /** Memory in RAM in KiB. Undefined for a process without memory: a zombie or a kernel thread. */
  readonly rssKib: number | undefined;
}

const UID = /^Uid:\s+\d+\s+(\d{1,10})\s/m;

const RSS = /^VmRSS:\s+(\d{1,15}) kB$/m;

/**
 * Reads `/proc/<pid>/status`. A name cannot pass for another line: the kernel writes its line ends as `\n`.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If there is no line `Uid:`
 */
export function parsePidStatus(text: string, source = "/proc/<pid>/status"): PidStatus {
  const uid = UID.exec(text)?.[1];
  if (uid === undefined) throw new ParseError(source, `has no line "Uid:", expected four user ids in one`);
  const rss = RSS.exec(text)?.[1];
  return { uid: Number(uid), rssKib: rss === undefined ? undefined : Number(rss) };
}
