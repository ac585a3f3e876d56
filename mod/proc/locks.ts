/**
 * `/proc/locks`: who holds which file lock.
 *
 *     1: FLOCK  ADVISORY  WRITE 4120 00:1a:1893 0 EOF
 *     2: POSIX  ADVISORY  READ  812 fe:01:524301 128 128
 *     2: -> FLOCK  ADVISORY  WRITE 4133 00:1a:1893 0 EOF
 *
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */

const HELD = /^\d+: FLOCK +ADVISORY +WRITE +(\d+) ([\da-f]+):([\da-f]+):(\d+) /;

/** A file, as stat(2) tells it: each file system counts inodes of its own, a tmpfs from 1. */
export interface LockedFile {
  /** Number of the device, as the C library packs it. */
  readonly dev: number;
  readonly inode: number;
}

/**
 * Pid of the process that holds the lock of a whole file, as flock(2) gives it; undefined where none does, or its pid is
 * not known here. Who waits for it, with an arrow, holds nothing. Never throws.
 */
export function maybeLockHolder(text: string, { dev, inode }: LockedFile): number | undefined {
  for (const line of text.split("\n")) {
    const [, pid, major = "", minor = "", held] = HELD.exec(line) ?? [];
    if (Number(held) !== inode || !(Number(pid) > 0)) continue;
    if (parseInt(major, 16) === majorOf(dev) && parseInt(minor, 16) === minorOf(dev)) return Number(pid);
  }
  return undefined;
}

/** The twelve bits of a major number. @see https://man7.org/linux/man-pages/man3/makedev.3.html */
function majorOf(dev: number): number {
  return (dev >>> 8) & 0xfff;
}

/** The twenty bits of a minor number, which stand on both sides of the major one. */
function minorOf(dev: number): number {
  return (dev & 0xff) | ((dev >>> 12) & 0xfff00);
}
