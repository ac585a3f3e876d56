/**
 * The CPU limit of a cgroup: `cpu.max` (v2), or `cpu.cfs_quota_us` and `cpu.cfs_period_us` (v1).
 *
 *     50000 100000      half a CPU: 50 ms in each 100 ms
 *     max 100000        no limit
 *
 * @see https://www.kernel.org/doc/html/latest/admin-guide/cgroup-v2.html#cpu-interface-files
 * @see https://www.kernel.org/doc/html/latest/scheduler/sched-bwc.html
 */

import { ParseError, quote } from "../errors.ts";

/** The period of a `cpu.max` that does not say one, in microseconds: the kernel's own default. */
const DEFAULT_PERIOD_US = 100_000;

const CPU_MAX = /^(max|\d{1,15})(?: (\d{1,15}))?$/;

/**
 * Reads `cpu.max`.
 *
 * @param text The whole file: a quota in microseconds or `max`, then the period, which may be missing
 * @param source Where the text is from, for errors
 * @returns The limit in CPUs, above 0 and often a fraction. Undefined if there is no limit
 * @throws {ParseError} If the text is something else, or if the quota or the period is 0
 */
export function parseCpuMax(text: string, source = "cpu.max"): number | undefined {
  const [, quota, period = String(DEFAULT_PERIOD_US)] = CPU_MAX.exec(text.trim()) ?? [];
  if (quota === undefined || Number(quota) === 0 || Number(period) === 0) {
    throw new ParseError(
      source,
      `is ${quote(text.trim())}, expected a quota or "max" and a period, both above 0`,
    );
  }
  return quota === "max" ? undefined : Number(quota) / Number(period);
}

/**
 * Reads the two files of cgroup v1.
 *
 * @param quotaText All of `cpu.cfs_quota_us`: microseconds, or -1 for no limit
 * @param periodText All of `cpu.cfs_period_us`: microseconds
 * @param source The folder or file that the texts are from, for errors
 * @returns The limit in CPUs, above 0 and often a fraction. Undefined if there is no limit
 * @throws {ParseError} If one of them is no whole number, or if the quota or the period is 0
 */
export function parseCfsQuota(
  quotaText: string,
  periodText: string,
  source = "cpu.cfs_quota_us",
): number | undefined {
  const quota = quotaText.trim();
  const period = periodText.trim();
  if (!/^-?\d{1,15}$/.test(quota) || Number(quota) === 0) {
    throw new ParseError(
      source,
      `quota is ${quote(quota)}, expected microseconds above 0, or -1 for no limit`,
    );
  }
  if (!/^\d{1,15}$/.test(period) || Number(period) === 0) {
    throw new ParseError(source, `period is ${quote(period)}, expected microseconds above 0`);
  }
  return Number(quota) < 0 ? undefined : Number(quota) / Number(period);
}
