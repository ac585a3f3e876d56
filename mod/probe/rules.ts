/** What the probe decides by: one configuration, ready for comparison. */

import {
  type CheckAction,
  type CheckId,
  HOST_CHECK_NAMES,
  HOST_CHECKS,
  type HostCheck,
  rowOf,
  siteCheck,
} from "./check.ts";
import type { StreakRules } from "./streak.ts";

/** A site that is probed. */
export interface SiteRule {
  readonly name: string;
  /** What a good look proves: a site of another name, URL or text is another one. */
  readonly key: string;
  readonly action: CheckAction;
}

/** Numbers of looks, times in milliseconds. */
export interface ProbeRules extends StreakRules {
  /** From one look to the next. */
  readonly tickMs: number;
  /** Shortest time out, the first time. */
  readonly minHoldMs: number;
  /** Longest that the shortest time out grows to. */
  readonly minHoldCapMs: number;
  /** How long a time out counts as one that this one repeats. */
  readonly repeatWindowMs: number;
  readonly actions: Readonly<Record<HostCheck, CheckAction>>;
  /** The active probes. Without one, checks only warn: nothing could show that the host may come back. */
  readonly sites: readonly SiteRule[];
}

/**
 * The rules where nobody configured anything. Fall 3, rise 2 as in HAProxy; the hold of 30 s times the number
 * of times out as in Envoy.
 */
export const DEFAULT_PROBE_RULES: ProbeRules = {
  fallCount: 3,
  riseCount: 2,
  tickMs: 5_000,
  minHoldMs: 30_000,
  minHoldCapMs: 300_000,
  repeatWindowMs: 600_000,
  actions: Object.fromEntries(HOST_CHECK_NAMES.map((name) => [name, HOST_CHECKS[name].action])) as Record<
    HostCheck,
    CheckAction
  >,
  sites: [],
};

/** A check that is looked at, and what it may do. */
export interface WantedCheck {
  readonly id: CheckId;
  readonly action: Exclude<CheckAction, "off">;
}

/** Part of a tick that a look may take; what has not come by then is unknown. */
export const LOOK_SHARE = 0.9;

/** The checks that are not off: the sites first, then those of the host. */
export function wantedChecks({ sites, actions }: ProbeRules): readonly WantedCheck[] {
  return [
    ...sites.map(({ name, action }) => ({ id: siteCheck(name), action })),
    ...HOST_CHECK_NAMES.map((id) => ({ id, action: actions[id] })),
  ].flatMap(({ id, action }) => action === "off" ? [] : [{ id, action }]);
}

/** How many looks a check takes to fail and to be well again. */
export function streakRulesOf(id: CheckId, { fallCount, riseCount }: ProbeRules): StreakRules {
  return { fallCount: rowOf(id).fallCount ?? fallCount, riseCount };
}
