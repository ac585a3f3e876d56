/**
 * How often the heavy hooks run. The ladder looks on every pass, whatever they do.
 *
 * On a host with one CPU each pass of them takes a larger part of it, so that BOA runs them on every sixth
 * pass there, which is twice a minute.
 */

import type { Config } from "../config/config.ts";
import type { Decision } from "../ladder/decision.ts";

/** Every so many passes on a host with one CPU. */
const SMALL_HOST_PASSES = 6;

/**
 * Whether the hook `fanout` runs after a pass.
 *
 * @param pass Number of the pass, from 0: the first one counts
 * @param cpuCount CPUs of the host; undefined, where they are not known, is taken for one
 */
export function shouldFanOut(
  pass: number,
  cpuCount: number | undefined,
  { fanoutEveryPasses }: Pick<Config, "fanoutEveryPasses">,
): boolean {
  const usual = cpuCount !== undefined && cpuCount > 1 ? 1 : SMALL_HOST_PASSES;
  return pass % (fanoutEveryPasses === 0 ? usual : fanoutEveryPasses) === 0;
}

/**
 * Whether the hook `proc-control` runs after a pass: as `fanout`, but not in a tier that ends processes
 * itself.
 */
export function shouldControlProcesses(
  pass: number,
  cpuCount: number | undefined,
  tier: Decision["tier"],
  config: Pick<Config, "fanoutEveryPasses">,
): boolean {
  return tier !== "max" && tier !== "crit" && shouldFanOut(pass, cpuCount, config);
}
