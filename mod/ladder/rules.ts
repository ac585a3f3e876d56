/** What the ladder decides by: the thresholds and times of one configuration, ready for comparison. */

import type { Config } from "../config/config.ts";
import { thresholdsOf } from "../config/thresholds.ts";

/** Thresholds in percent of the CPUs, times in milliseconds. */
export interface LadderRules {
  /** SPIDER begins above this load. */
  readonly spiderPercent: number;
  /** MAX begins above this load. */
  readonly maxPercent: number;
  /** CRIT begins above this load. */
  readonly critPercent: number;
  /** The pause latch opens once both loads are below this one: MAX x resume fraction. */
  readonly resumePercent: number;
  /** From one evaluation to the next pass. */
  readonly intervalMs: number;
  /** From a pass that tripped a tier to its re-check. */
  readonly recheckMs: number;
  /** A running backup exempts from MAX and CRIT when at least this share of CPU time waits for the disk. */
  readonly iowaitMinPercent: number;
  /** How long the web may stay paused; 0 is without end. */
  readonly maxHoldMs: number;
  /** What happens then: the web is given back, or only an alert is raised. */
  readonly onMaxHold: "resume" | "alert";
  /** What the second witness may do: say that nothing wants the CPU, or also keep MAX and CRIT from acting. */
  readonly witness: "advise" | "require";
  /** False where acting would be on a guess, as without any configuration that can be used: no load is more than SPIDER. */
  readonly drasticAllowed: boolean;
}

/**
 * The rules of a configuration.
 *
 * @param spiderOnly No load is more than SPIDER
 */
export function rulesOf(config: Config, spiderOnly: boolean): LadderRules {
  const { spiderPercent, maxPercent, critPercent, resumePercent } = thresholdsOf(config);
  return {
    spiderPercent,
    maxPercent,
    critPercent,
    resumePercent,
    intervalMs: config.intervalMs,
    recheckMs: config.recheckMs,
    iowaitMinPercent: config.iowaitMinPercent,
    maxHoldMs: config.maxHoldMs,
    onMaxHold: config.onMaxHold,
    witness: config.witness,
    drasticAllowed: !spiderOnly,
  };
}
