/** Which groups a process belongs to: by its unit, by its name, and to php-fpm. */

import { maybeTierIndex } from "../../mod/pressure/tier_unit.ts";
import { mayBeNamed, type NameRule, unitsAmong } from "../../mod/processes/group_rule.ts";
import { isNginxName, isWebTierName } from "../../mod/processes/web_tier.ts";
import type { KnownProcess } from "./known_processes.ts";

/** What places a process; units and rules by the names of their groups. */
export interface PlaceRules {
  readonly units: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, NameRule>;
  /** Template unit whose instances are wanted; empty is none. */
  readonly template: string;
  /** Whether the processes of php-fpm are wanted. */
  readonly hasFpm: boolean;
}

/** Where a process belongs. */
export interface Place {
  /** Names of rules. */
  readonly units: readonly string[];
  /** Of the instance of the template. */
  readonly index: number | undefined;
  /** Names of rules that its comm fits. */
  readonly names: readonly string[];
  readonly isFpm: boolean;
}

/** In no group. */
export const NOWHERE: Place = { units: [], index: undefined, names: [], isFpm: false };

/** Where a process belongs by these rules. Never throws. */
export function placeOf(process: KnownProcess, { units, names, template, hasFpm }: PlaceRules): Place {
  const { stat, unitPaths } = process;
  if (stat.isKernelThread) return NOWHERE;
  const candidates = [...names].filter(([, rule]) => mayBeNamed(stat.comm, rule)).map(([name]) => name);
  const isFpm = hasFpm && isWebTierName(stat.comm) && !isNginxName(stat.comm);
  const byUnit = (isContained: boolean): Pick<Place, "units" | "index"> => {
    const found = unitsAmong(unitPaths, isContained);
    const indexes = template === "" ? [] : [...found].map((unit) => maybeTierIndex(template, unit));
    return {
      units: [...units].filter(([, unit]) => found.has(unit)).map(([name]) => name),
      index: indexes.find((index) => index !== undefined),
    };
  };
  const own = byUnit(false);
  const isCandidate = candidates.length > 0 || isFpm || own.units.length > 0 || own.index !== undefined;
  if (!isCandidate) return NOWHERE;
  if (!isInContainer(process)) return { ...own, names: candidates, isFpm };
  const contained = byUnit(true);
  return contained.units.length === 0 && contained.index === undefined && !isFpm
    ? NOWHERE
    : { ...contained, names: [], isFpm };
}

/** Whether it is of a container. One that cannot be told is ours: kernels that do not say have few. Never throws. */
export function isInContainer(process: KnownProcess): boolean {
  return (process.namespaceDepth() ?? 1) > 1;
}
