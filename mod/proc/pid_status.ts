/**
 * `/proc/<pid>/status`: a process in words. Taken from it is what `stat` does not say or says in pages.
 *
 *     Name:	php
 *     Uid:	33	33	33	33
 *     VmRSS:	   47492 kB
 *     SigPnd:	0000000000000000
 *     ShdPnd:	0000000000000100
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
  /** Numbers of the signals that it got and has not taken yet, as one in an uninterruptible wait takes none. */
  readonly pendingSignals: readonly number[];
}

const UID = /^Uid:\s+\d+\s+(\d{1,10})\s/m;

/** To the thread alone, and to the whole process: the lowest bit is signal 1. */
const PENDING = /^(?:SigPnd|ShdPnd):\s+([0-9a-f]{16})$/gm;

const SIGNALS = Array.from({ length: 64 }, (_, index) => index + 1);

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
  const pending = [...text.matchAll(PENDING)].map(([, mask = "0"]) => BigInt(`0x${mask}`));
  return {
    uid: Number(uid),
    rssKib: rss === undefined ? undefined : Number(rss),
    pendingSignals: SIGNALS.filter((signal) => pending.some((mask) => mask >> BigInt(signal - 1) & 1n)),
  };
}
