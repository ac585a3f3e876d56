/**
 * The process that a task belongs to, from `/proc/<pid>/status`.
 *
 *     Tgid:	4120
 *     Ngid:	0
 *     Pid:	4123        a thread of 4120
 *
 * Threads have numbers out of the same range as processes, and a folder that is not listed but can be opened.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */

const TGID = /^Tgid:\t(\d{1,10})$/m;

/**
 * The pid of the process. Never throws.
 *
 * @param text The whole of `/proc/<pid>/status`
 * @returns Undefined where the kernel does not say or the text is damaged
 */
export function parseTgid(text: string): number | undefined {
  const pid = TGID.exec(text)?.[1];
  return pid === undefined ? undefined : Number(pid);
}
