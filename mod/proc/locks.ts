/**
 * `/proc/locks`: who holds which file lock.
 *
 *     1: FLOCK  ADVISORY  WRITE 4120 00:1a:1893 0 EOF
 *     2: POSIX  ADVISORY  READ  812 fe:01:524301 128 128
 *     2: -> FLOCK  ADVISORY  WRITE 4133 00:1a:1893 0 EOF
 *
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */

const HELD = /^\d+: FLOCK +ADVISORY +WRITE +(\d+) [\da-f]+:[\da-f]+:(\d+) /;

/**
 * Pid of the process that holds the lock of a whole file, as flock(2) gives it; undefined where none does, or its pid is
 * not known here. Who waits for it, with an arrow, holds nothing. Never throws.
 *
 * @param inode Number of the file
 */
export function maybeLockHolder(text: string, inode: number): number | undefined {
  for (const line of text.split("\n")) {
    const [, pid, held] = HELD.exec(line) ?? [];
    if (Number(held) === inode && Number(pid) > 0) return Number(pid);
  }
  return undefined;
}
