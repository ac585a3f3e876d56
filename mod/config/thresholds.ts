/**
 * Thresholds as the ladder compares them: percent of the CPUs, exact products of the decimals in the
 * configuration.
 */

import type { Config } from "./config.ts";

/** Load percentages; 100 means that as many tasks want to run, or wait for the disk, as there are CPUs. */
export interface Thresholds {
  /** SPIDER begins above it. */
  readonly spiderPercent: number;
  /** MAX begins above it. */
  readonly maxPercent: number;
  /** CRIT begins above it. */
  readonly critPercent: number;
  /** Backend tasks wait above it. */
  readonly taskPercent: number;
  /** The web is given back below it: MAX x resume fraction. */
  readonly resumePercent: number;
}

/** Ratios have at most four decimals (see values.ts), so in this unit all of them are whole numbers. */
const SCALE = 10_000;

/**
 * The thresholds of a configuration in percent.
 *
 * 6.1 x 0.8 x 100 is 488 here, not the 487.99999999999994 of binary floats: the products are taken over whole
 * numbers below 2^53 and divided once, so each result is the double nearest to the decimal one.
 */
export function thresholdsOf(
  config: Pick<Config, "spiderRatio" | "maxRatio" | "critRatio" | "taskRatio" | "resumeFraction">,
): Thresholds {
  return {
    spiderPercent: percentOf(config.spiderRatio),
    maxPercent: percentOf(config.maxRatio),
    critPercent: percentOf(config.critRatio),
    taskPercent: percentOf(config.taskRatio),
    resumePercent: scaled(config.maxRatio) * scaled(config.resumeFraction) / (SCALE * SCALE / 100),
  };
}

/**
 * The load average that a percentage stands for on a host, rounded to two decimals as the kernel prints
 * loads.
 *
 * @param percent Percent of the CPUs, >= 0
 * @param cpuCount CPUs online, a whole number >= 1
 * @returns 12.2 for 610 % on 2 CPUs
 */
export function loadFigure(percent: number, cpuCount: number): number {
  return Math.round(scaled(percent) * cpuCount / SCALE) / 100;
}

function percentOf(ratio: number): number {
  return scaled(ratio) / (SCALE / 100);
}

function scaled(decimal: number): number {
  return Math.round(decimal * SCALE);
}
