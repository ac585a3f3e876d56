/**
 * On which CPUs a process may run, from `/proc/<pid>/status`.
 *
 *     Cpus_allowed_list:	0-3,8
 *
 * Where nothing binds a process this names every CPU that the machine could have, also those that it has not.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */

const LIST = /^Cpus_allowed_list:\s*((?:\d{1,5}(?:-\d{1,5})?)(?:,\d{1,5}(?:-\d{1,5})?)*)$/m;

/** More than any kernel is built for. */
const LIMIT = 16_384;

/**
 * The numbers of the CPUs, rising. Never throws.
 *
 * @param text The whole of `/proc/<pid>/status`
 * @returns Undefined where the kernel does not say or the text is damaged
 */
export function parseAllowedCpus(text: string): readonly number[] | undefined {
  const list = LIST.exec(text)?.[1];
  if (list === undefined) return undefined;
  const cpus: number[] = [];
  for (const range of list.split(",")) {
    const [first = NaN, last = first] = range.split("-").map(Number);
    if (last < first || last > LIMIT) return undefined;
    for (let cpu = first; cpu <= last; cpu++) cpus.push(cpu);
  }
  return cpus;
}
