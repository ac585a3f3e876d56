/** The tiers of the ladder, and which of them a pair of loads is in. */

import { loadPercent } from "../load_percent.ts";
import type { LadderRules } from "./rules.ts";
import type { LoadSample } from "./sample.ts";

/** Load postures, from calm to drastic. */
export const TIERS = ["normal", "spider", "max", "crit"] as const;

/** One of {@linkcode TIERS}. */
export type Tier = typeof TIERS[number];

/** The tiers that act, so that each is confirmed by a re-check first. */
export const ACTING_TIERS = ["spider", "max", "crit"] as const;

/** One of {@linkcode ACTING_TIERS}. */
export type ActingTier = typeof ACTING_TIERS[number];

/** A tier that takes the web down. */
export type DrasticTier = Exclude<ActingTier, "spider">;

/** Both load averages as a percentage of the CPUs, with one decimal. */
export interface LoadPercents {
  readonly load1Percent: number;
  readonly load5Percent: number;
  /** The higher of the two: either one alone trips a tier, and both must be low before anything is given back. */
  readonly higherPercent: number;
}

/** The loads of a sample as percentages of its CPUs. */
export function percentsOf({ load1Hundredths, load5Hundredths, cpuCount }: LoadSample): LoadPercents {
  const load1Percent = loadPercent(load1Hundredths, cpuCount);
  const load5Percent = loadPercent(load5Hundredths, cpuCount);
  return { load1Percent, load5Percent, higherPercent: Math.max(load1Percent, load5Percent) };
}

/** The tier that the loads are in: over a threshold, never at it. Without permission for drastic tiers, SPIDER at most. */
export function tierOf({ higherPercent }: LoadPercents, rules: LadderRules): Tier {
  if (higherPercent <= rules.spiderPercent) return "normal";
  if (!rules.drasticAllowed) return "spider";
  if (higherPercent > rules.critPercent) return "crit";
  return higherPercent > rules.maxPercent ? "max" : "spider";
}

/** The load percentage that a tier begins above. */
export function thresholdPercentOf(tier: ActingTier, rules: LadderRules): number {
  switch (tier) {
    case "spider":
      return rules.spiderPercent;
    case "max":
      return rules.maxPercent;
    case "crit":
      return rules.critPercent;
  }
}

/** Whether a tier takes the web down. */
export function isDrastic(tier: Tier): tier is DrasticTier {
  return tier === "max" || tier === "crit";
}

/** From calm to drastic. */
const RANK: Readonly<Record<Tier, number>> = { normal: 0, spider: 1, max: 2, crit: 3 };

/** Whether the loads are still in a tier, or in a higher one. */
export function holdsTier(tier: ActingTier, load: LoadPercents, rules: LadderRules): boolean {
  return RANK[tierOf(load, rules)] >= RANK[tier];
}
