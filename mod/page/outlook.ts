/** What would change the tier of now, in words with the distance to it. */

import type { Decision } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { ACTING_TIERS, type ActingTier, thresholdPercentOf } from "../ladder/tier.ts";

/** What each tier does, for people. */
export const TIER_EFFECTS: Readonly<Record<ActingTier, string>> = {
  spider: "blocks crawlers",
  max: "pauses nginx and php-fpm",
  crit: "ends runaways and pauses nginx and php-fpm",
};

/** One line for each thing that would change it. Never throws. */
export function outlookOf(decision: Decision, rules: LadderRules): readonly string[] {
  const { load1Percent, load5Percent, tier, paused, actions } = decision;
  if (load1Percent === undefined || load5Percent === undefined || tier === "unknown") {
    return ["a load that can be read: until then nothing is done"];
  }
  const higher = Math.max(load1Percent, load5Percent);
  const lines: string[] = [];
  if (actions.includes("recheck") && tier !== "normal") {
    lines.push(
      `now: looked at again ${rules.recheckMs / 1_000} s after this pass; still over ${
        thresholdPercentOf(tier, rules)
      } % then, it ${TIER_EFFECTS[tier]}`,
    );
  }
  if (paused) {
    lines.push(
      `web back: both loads below ${rules.resumePercent} %, ${distance(higher, rules.resumePercent)}`,
    );
  }
  const next = nextTier(tier);
  if (next !== undefined && !rules.drasticAllowed && next !== "spider") {
    lines.push("up: no load is more than SPIDER here, as acting would be on a guess");
  } else if (next !== undefined) {
    const threshold = thresholdPercentOf(next, rules);
    lines.push(
      `up: ${next.toUpperCase()} above ${threshold} %, ${distance(higher, threshold)}; it ${
        TIER_EFFECTS[next]
      }`,
    );
  }
  if (tier !== "normal") {
    lines.push(
      `down: NORMAL with both loads at ${rules.spiderPercent} % or below, ${
        distance(higher, rules.spiderPercent)
      }`,
    );
  }
  return lines;
}

function nextTier(tier: ActingTier | "normal"): ActingTier | undefined {
  return tier === "normal" ? "spider" : ACTING_TIERS[ACTING_TIERS.indexOf(tier) + 1];
}

function distance(percent: number, threshold: number): string {
  const points = percent - threshold;
  if (points === 0) return "where the higher load is";
  return `the higher load is ${Math.abs(points).toFixed(1)} points ${points > 0 ? "above" : "below"}`;
}
