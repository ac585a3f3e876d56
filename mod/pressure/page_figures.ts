/**
 * Single figures off a page of metrics: of the right kind, over all label sets of a name, and none that cannot be. What
 * the page does not have is undefined; what is wrong refuses the page, because a sample with half its figures is none.
 */

import { ParseError } from "../errors.ts";
import type { Exposition, Series } from "../prom/exposition.ts";
import type { Labels } from "../prom/labels.ts";

/** A page and where it is from, for errors. */
export interface Page {
  readonly exposition: Exposition;
  readonly source: string;
}

/** Kinds that say nothing. */
const ANY_KINDS = ["untyped", "unknown"];
const GAUGE_KINDS = ["gauge", ...ANY_KINDS];
const COUNTER_KINDS = ["counter", ...ANY_KINDS];

/** What is put behind the name of a family of these kinds for series that count up. */
const COUNTING: ReadonlyMap<string, readonly string[]> = new Map([
  ["_bucket", ["histogram"]],
  ["_count", ["histogram", "summary"]],
  ["_sum", ["histogram", "summary"]],
  ["_total", ["counter"]],
]);

/**
 * A total over all label sets, or over those that count.
 *
 * @returns Undefined where the page has no such series, or none that counts
 * @throws {ParseError} If it is declared as something else, or is not a finite number from 0
 */
export function maybeTotal(
  page: Page,
  name: string,
  counts: (labels: Labels) => boolean = () => true,
): number | undefined {
  let total: number | undefined;
  for (const { labels, value, line } of countingSeries(page, name)) {
    if (!(value >= 0 && value < Infinity)) {
      throw new ParseError(page.source, `${name} is ${value}, expected a finite number from 0`, line);
    }
    if (counts(labels)) total = (total ?? 0) + value;
  }
  return total;
}

/**
 * A gauge, added up over all label sets. +Inf is a value; so is less than 0, which whoever uses it clamps.
 *
 * @returns Undefined where the page has no such series
 * @throws {ParseError} If it is declared as something else, or is no number
 */
export function maybeGauge(page: Page, name: string): number | undefined {
  let sum: number | undefined;
  for (const { value, line } of seriesOf(page, name, GAUGE_KINDS)) {
    sum = (sum ?? 0) + value;
    if (Number.isNaN(sum)) {
      throw new ParseError(page.source, `${name} is ${value}, expected a number`, line);
    }
  }
  return sum;
}

/**
 * The largest of all label sets of a gauge that is no amount, such as a time or a quantile: those cannot be added up.
 *
 * @param nan Whether NaN is a value of it, and then the largest, or refuses the page
 * @returns Undefined where the page has no such series
 * @throws {ParseError} If it is declared as something else, or is NaN and may not be
 */
export function maybeLargest(page: Page, name: string, nan: "kept" | "refused"): number | undefined {
  let largest: number | undefined;
  for (const { value, line } of seriesOf(page, name, GAUGE_KINDS)) {
    if (nan === "refused" && Number.isNaN(value)) {
      throw new ParseError(page.source, `${name} is NaN, expected a number`, line);
    }
    largest = Math.max(largest ?? -Infinity, value);
  }
  return largest;
}

/**
 * When totals began to count, in seconds since 1970: the earliest of what is told by these names. A label set that
 * appears later, as one for each route does, is no new beginning of the others.
 *
 * @param names Names of totals, and of histograms without what is put behind
 * @returns Undefined where the page does not tell
 * @throws {ParseError} If it is not a finite number from 0
 */
export function maybeCreatedS({ exposition, source }: Page, names: readonly string[]): number | undefined {
  let earliestS: number | undefined;
  for (const name of names) {
    for (const { value, line } of exposition.series.get(createdName(name)) ?? []) {
      if (!(value >= 0 && value < Infinity)) {
        throw new ParseError(source, `${createdName(name)} is ${value}, expected seconds since 1970`, line);
      }
      earliestS = Math.min(earliestS ?? value, value);
    }
  }
  return earliestS;
}

/** The name that tells since when a total counts. */
export function createdName(name: string): string {
  return `${name.replace(/_total$/, "")}_created`;
}

/**
 * The series of a name that counts up; none where the page has none.
 *
 * @throws {ParseError} If it is declared as something else
 */
export function countingSeries(page: Page, name: string): readonly Series[] {
  return seriesOf(page, name, COUNTER_KINDS);
}

function seriesOf({ exposition, source }: Page, name: string, kinds: readonly string[]): readonly Series[] {
  const series = exposition.series.get(name);
  if (series === undefined) return [];
  const kind = declaredKind(exposition.kinds, name);
  if (kind !== undefined && !kinds.includes(kind)) {
    throw new ParseError(source, `${name} is a ${kind}, expected a ${kinds[0]}`, series[0]?.line);
  }
  return series;
}

/** As what a name is declared, itself or as part of a family; undefined where it is not. */
function declaredKind(kinds: ReadonlyMap<string, string>, name: string): string | undefined {
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  for (const [suffix, families] of COUNTING) {
    if (name.endsWith(suffix) && families.includes(kinds.get(name.slice(0, -suffix.length)) ?? "")) {
      return "counter";
    }
  }
  return undefined;
}
