/**
 * The instances of a template unit, as systemd lists them, and which of them comes next.
 *
 *     web@1.service loaded active   running Web instance 1
 *     web@2.service loaded failed   failed  Web instance 2
 *
 * An instance that is idle is not listed at all where nothing refers to it.
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/systemctl.html
 */

import { ParseError, quote } from "../errors.ts";
import { maybeTierIndex } from "./tier_unit.ts";

/** How an instance stands. What systemd calls otherwise is `changing`: nobody knows whether it is free. */
export type UnitRun = "up" | "changing" | "failed" | "down";

/** An instance that systemd knows. */
export interface TierUnit {
  readonly index: number;
  readonly run: UnitRun;
}

/** What may be done, or why nothing may. */
export type UnitPlan =
  | { readonly kind: "act"; readonly index: number; readonly run: UnitRun }
  /** About one instance where it is one that stands in the way. */
  | { readonly kind: "refuse"; readonly index: number | undefined; readonly text: string };

/** Arguments of `systemctl` that list units, to be followed by a pattern. All versions print the same with them. */
export const LIST_ARGUMENTS: readonly string[] = [
  "list-units",
  "--all",
  "--full",
  "--plain",
  "--no-legend",
  "--no-pager",
  "--",
];

/** Words of systemd. One that reloads goes on serving. */
const RUNS: Readonly<Record<string, UnitRun>> = {
  active: "up",
  reloading: "up",
  refreshing: "up",
  failed: "failed",
  inactive: "down",
};

/**
 * Reads what `systemctl list-units` prints with {@linkcode LIST_ARGUMENTS}.
 *
 * @returns The instances whose name is an index, by index; others are none of this tier
 * @throws {ParseError} If a line has fewer than four columns: half a list would show instances as free that run
 */
export function parseTierUnits(text: string, template: string): readonly TierUnit[] {
  const units: TierUnit[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [name = "", , active, sub] = line.trim().split(/\s+/);
    if (active === undefined || sub === undefined) {
      throw new ParseError(
        "systemctl list-units",
        `${quote(line)} is cut short, expected four words`,
        at + 1,
      );
    }
    const index = maybeTierIndex(template, name);
    if (index !== undefined) units.push({ index, run: RUNS[active] ?? "changing" });
  }
  return units.sort((a, b) => a.index - b.index);
}

/**
 * Which instance to start: the lowest index from 1 that is not up, and no other one where that has failed.
 * None while one is being started or stopped: that one counts already. Never throws.
 */
export function planScaleOut(units: readonly TierUnit[], maxCount: number): UnitPlan {
  const blocked = maybeChanging(units);
  if (blocked !== undefined) return blocked;
  const upCount = units.filter(({ run }) => run === "up").length;
  const runs = new Map(units.map(({ index, run }) => [index, run]));
  const index = Array.from({ length: maxCount }, (_, at) => at + 1).find((at) => runs.get(at) !== "up");
  if (upCount >= maxCount || index === undefined) {
    return { kind: "refuse", index: undefined, text: `${upCount} instances run, of ${maxCount} at most` };
  }
  return { kind: "act", index, run: runs.get(index) ?? "down" };
}

/** Which instance to stop: the highest that is up, and never the last one. Never throws. */
export function planScaleIn(units: readonly TierUnit[], minCount: number): UnitPlan {
  const blocked = maybeChanging(units);
  if (blocked !== undefined) return blocked;
  const up = units.filter(({ run }) => run === "up");
  const leastCount = Math.max(1, minCount);
  const highest = up.at(-1);
  if (highest === undefined || up.length <= leastCount) {
    return {
      kind: "refuse",
      index: undefined,
      text: `${up.length} instances run, of ${leastCount} at least`,
    };
  }
  return { kind: "act", ...highest };
}

function maybeChanging(units: readonly TierUnit[]): UnitPlan | undefined {
  const changing = units.find(({ run }) => run === "changing");
  return changing && {
    kind: "refuse",
    index: changing.index,
    text: "it is being started or stopped, by whomever",
  };
}
