/**
 * The session of a process, the sixth field of `/proc/<pid>/stat`.
 *
 *     4121 (nginx) S 1 4120 4120 0 -1 4194368 …      in the session that 4120 made
 *
 * A daemon makes a session of its own, and what it starts stays in it also when the daemon is gone. While a
 * process is in a session, the kernel gives the number of that session to no new process, so a session tells
 * for certain which daemon a process came from.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 * @see https://man7.org/linux/man-pages/man7/credentials.7.html
 */

/** What follows the name up to the session: state, parent, process group, session. */
const AFTER_COMM = /^ [A-Za-z] \d+ \d+ ([1-9]\d*) /;

/**
 * The pid of the process that made the session. Never throws.
 *
 * @param text The whole of `/proc/<pid>/stat`
 * @returns Undefined where it is outside this pid namespace, for threads of the kernel, and in damaged text
 */
export function parseSessionId(text: string): number | undefined {
  const session = AFTER_COMM.exec(text.slice(text.lastIndexOf(")") + 1))?.[1];
  return session === undefined ? undefined : Number(session);
}
