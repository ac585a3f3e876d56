/**
 * Whether a process lives in a pid namespace below ours, as a container's do, from `/proc/<pid>/status`.
 *
 *     NSpid:	31337	7
 *
 * The link `/proc/<pid>/ns/pid` says the same, but may be followed only by those who may trace the process;
 * this line is readable for all.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */

const NSPID = /^NSpid:((?:\s+\d+)+)$/m;

/**
 * In how many pid namespaces a process has an id, counted from the one of this `/proc`: 1 is ours. Never
 * throws.
 *
 * @param text The whole of `/proc/<pid>/status`
 * @returns Undefined where the kernel does not say (before Linux 4.1) or the text is damaged
 */
export function parseNamespaceDepth(text: string): number | undefined {
  return NSPID.exec(text)?.[1]?.trim().split(/\s+/).length;
}
