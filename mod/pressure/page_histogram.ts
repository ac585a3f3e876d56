/**
 * Histograms off a page of metrics.
 *
 *     http_request_duration_seconds_bucket{le="0.05",route="/"} 24054
 *     http_request_duration_seconds_bucket{le="+Inf",route="/"} 144320
 *     http_request_duration_seconds_sum{route="/"} 53423
 *     http_request_duration_seconds_count{route="/"} 144320
 */

import { ParseError, quote } from "../errors.ts";
import type { Series } from "../prom/exposition.ts";
import { labelsKey } from "../prom/labels.ts";
import { mergeBuckets } from "./histogram.ts";
import type { Histogram } from "./metrics.ts";
import { countingSeries, type Page } from "./page_figures.ts";

const BOUND_LABEL = "le";
/** A summary may have the name that is usual for a histogram: then the page has no such histogram. */
const HISTOGRAM_KINDS = ["histogram", "untyped", "unknown", "summary"];
const BOUND = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE_BOUND = /^\+?inf$/i;

/**
 * One histogram for each label set of a name.
 *
 * @param name Without `_bucket`
 * @param unitS What the bounds are in, in seconds
 * @throws {ParseError} If it is declared as something else, a bound is no number or there twice in one label set, a count
 * is not a finite number from 0, or there is no bucket up to +Inf
 */
export function histogramsOf(page: Page, name: string, unitS = 1): readonly Histogram[] {
  const { exposition, source } = page;
  const kind = exposition.kinds.get(name);
  const buckets = countingSeries(page, `${name}_bucket`);
  if (kind !== undefined && !HISTOGRAM_KINDS.includes(kind)) {
    const line = (buckets[0] ?? exposition.series.get(name)?.[0])?.line;
    throw new ParseError(source, `${name} is a ${kind}, expected a histogram`, line);
  }
  const groups = new Map<string, { readonly line: number; readonly counts: Map<number, number> }>();
  for (const one of buckets) {
    const bound = boundOf(one, source);
    if (!(one.value >= 0 && one.value < Infinity)) {
      throw new ParseError(
        source,
        `${name}_bucket is ${one.value}, expected a finite number from 0`,
        one.line,
      );
    }
    const key = labelsKey(one.labels, BOUND_LABEL);
    const group = groups.get(key) ?? { line: one.line, counts: new Map<number, number>() };
    groups.set(key, group);
    if (group.counts.has(bound)) {
      throw new ParseError(source, `${name}_bucket has the bound ${bound} twice, expected it once`, one.line);
    }
    group.counts.set(bound, one.value);
  }
  const sums = new Map(
    countingSeries(page, `${name}_sum`).map(({ labels, value }) => [labelsKey(labels), value]),
  );
  return [...groups].map(([key, { line, counts }]) => {
    if (!counts.has(Infinity)) {
      throw new ParseError(source, `${name}_bucket has no bound +Inf, expected one`, line);
    }
    const bounds = [...counts.keys()].sort((one, other) => one < other ? -1 : 1);
    const sum = sums.get(key);
    return {
      bounds: bounds.map((bound) => bound * unitS),
      counts: bounds.map((bound) => counts.get(bound) ?? 0),
      sumS: sum === undefined || !Number.isFinite(sum) ? undefined : sum * unitS,
    };
  });
}

/**
 * All label sets of a name as one histogram.
 *
 * @returns Undefined where the page has none
 * @throws {ParseError} As {@linkcode histogramsOf}
 */
export function maybeHistogram(page: Page, name: string, unitS = 1): Histogram | undefined {
  const histograms = histogramsOf(page, name, unitS);
  return histograms.length === 0 ? undefined : mergeBuckets(histograms);
}

function boundOf({ labels, line }: Series, source: string): number {
  const text = labels.get(BOUND_LABEL);
  if (text !== undefined && BOUND.test(text)) return Number(text);
  if (text !== undefined && INFINITE_BOUND.test(text)) return Infinity;
  const seen = text === undefined ? "is missing" : `is ${quote(text)}`;
  throw new ParseError(source, `label le ${seen}, expected a number`, line);
}
