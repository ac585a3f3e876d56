/**
 * Load as a percentage of the CPUs, in exact decimal arithmetic.
 *
 * The kernel prints the load average with two decimals, so a load is handled as whole hundredths: `42.01` is 4201.
 * On 20 CPUs that is 210.05 %, shown and compared as 210.1 %; binary floats would give 210.0 % and miss a threshold.
 *
 * @see https://docs.kernel.org/filesystems/proc.html (loadavg)
 */

/** Fixed point one of the kernel's load average, from include/linux/sched/loadavg.h: FIXED_1 = 1 << 11. */
const FIXED_ONE = 2048;

/** What the kernel adds before it cuts to two decimals: FIXED_1 / 200, half a hundredth (fs/proc/loadavg.c). */
const HALF_HUNDREDTH = 10;

/**
 * Load / CPUs x 100, rounded to one decimal, halves up.
 *
 * @param loadHundredths Load average in hundredths, a whole number >= 0
 * @param cpuCount CPUs online, a whole number >= 1
 * @returns Percent with one decimal: 100 means that as many tasks want to run, or wait for the disk, as there are CPUs
 */
export function loadPercent(loadHundredths: number, cpuCount: number): number {
  return Math.floor((20 * loadHundredths + cpuCount) / (2 * cpuCount)) / 10;
}

/**
 * A load average of sysinfo(2) in hundredths, as the kernel prints the same value in `/proc/loadavg`.
 *
 * @param load Multiple of 1/2048, as `Deno.loadavg()` returns it
 */
export function loadHundredthsOfSysinfo(load: number): number {
  const fixed = Math.round(load * FIXED_ONE) + HALF_HUNDREDTH;
  const whole = Math.floor(fixed / FIXED_ONE);
  return whole * 100 + Math.floor((fixed - whole * FIXED_ONE) * 100 / FIXED_ONE);
}

/** A load in hundredths as the kernel prints it: 4201 is `42.01`. */
export function formatLoad(loadHundredths: number): string {
  return (loadHundredths / 100).toFixed(2);
}
