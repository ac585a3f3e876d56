/**
 * CPU time of the children that a process has waited for, fields 16 and 17 of `/proc/<pid>/stat`.
 *
 *     901 (php-fpm8.2) S 1 901 901 0 -1 4194560 9113 40211 0 2 57 31 4420 912 20 0 1 0 6012 …      4420 + 912 ticks
 *
 * A child that nobody waits for, because its parent ignores that it ends, is in no figure.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */

/** Fields between the name and the two figures. */
const FIELDS_BEFORE = 13;

/**
 * User and system time of the ended children of a process and of their own, in ticks of 1/100 s. Never throws.
 *
 * @param text The whole of `/proc/<pid>/stat`
 * @returns At least 0: of some threads of its own the kernel prints what is no time. Undefined in damaged text
 */
export function parseReapedTicks(text: string): number | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ", FIELDS_BEFORE + 2);
  const ticks = Number(fields[FIELDS_BEFORE] || NaN) + Number(fields[FIELDS_BEFORE + 1] || NaN);
  return Number.isNaN(ticks) ? undefined : Math.max(0, ticks);
}
