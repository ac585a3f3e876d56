/** Series of metrics: one figure each, by the labels that its metric has. */

import type { LabelName, MetricName } from "./registry.ts";

/** Labels of a metric, each with its value. */
export type LabelsOf<N extends MetricName> = Readonly<Record<LabelName<N>, string>>;

/** One figure. */
export interface Series {
  readonly name: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** No labels for a metric that has none. */
type LabelArguments<N extends MetricName> = [LabelName<N>] extends [never] ? [] : [labels: LabelsOf<N>];

/** A series with this figure; none where it is not known. NaN is a figure: that of nothing to measure. */
export function seriesOf<N extends MetricName>(
  name: N,
  value: number | undefined,
  ...[labels]: LabelArguments<N>
): readonly Series[] {
  return value === undefined ? [] : [{ name, labels: labels ?? {}, value }];
}

/** A series that is 1 or 0; none where it is not known. */
export function flagOf<N extends MetricName>(
  name: N,
  flag: boolean | undefined,
  ...labels: LabelArguments<N>
): readonly Series[] {
  return seriesOf(name, flag === undefined ? undefined : Number(flag), ...labels);
}

/** A series for each state, 1 for the one that there is and 0 for all others; none where it is not known. */
export function statesOf<S extends string>(
  states: readonly S[],
  current: S | undefined,
  of: (state: S, flag: boolean) => readonly Series[],
): readonly Series[] {
  return current === undefined ? [] : states.flatMap((state) => of(state, state === current));
}

/** A series for each row of counts. */
export function countsOf<K extends string>(
  counts: Readonly<Record<K, number>>,
  of: (key: K, count: number) => readonly Series[],
): readonly Series[] {
  return (Object.keys(counts) as K[]).flatMap((key) => of(key, counts[key]));
}
