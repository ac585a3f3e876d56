/**
 * What the page of one instance says, under names of ours: whatever an exporter calls its figures, a preset maps them to
 * these, and nothing after that knows who exported them.
 */

/** A histogram as it is exported: how many observations so far were at most so large. */
export interface Histogram {
  /** Upper bounds in seconds, rising; the last one is Infinity, else the histogram is broken. */
  readonly bounds: readonly number[];
  /** Observations so far up to each bound, those of the bounds below included. As many as bounds. */
  readonly counts: readonly number[];
  /** Sum of all observations so far in seconds; undefined where it is not told. */
  readonly sumS: number | undefined;
}

/** How late the loops of an instance run their timers. */
export type LagMetric =
  /** A quantile that the exporter has made, in milliseconds, without its own timer; NaN is a loop that never ran. */
  | { readonly kind: "p99"; readonly ms: number }
  /** One histogram for each loop. */
  | { readonly kind: "loops"; readonly loops: readonly Histogram[] };

/** A mean that is exported as a sum and a count. */
export interface WaitMetric {
  readonly sumS: number;
  readonly count: number;
}

/**
 * The figures of one page. Totals count from the start of the instance, or from a reset. Undefined is a figure that the
 * page does not have: never 0, never one of before.
 */
export interface InstanceMetrics {
  /** CPU time so far, in seconds. */
  readonly cpuS: number | undefined;
  /** When the process started, in seconds since 1970. */
  readonly startTimeS: number | undefined;
  /** When the totals began to count, in seconds since 1970: the earliest `_created` of them. */
  readonly createdS: number | undefined;
  readonly lag: LagMetric | undefined;
  /** Requests that are being served. */
  readonly inflightCount: number | undefined;
  readonly openConnectionsCount: number | undefined;
  /** How many connections there may be. */
  readonly connectionLimitCount: number | undefined;
  /** Time from request to answer. */
  readonly latency: Histogram | undefined;
  readonly requestsTotal: number | undefined;
  readonly acceptsTotal: number | undefined;
  readonly handledTotal: number | undefined;
  readonly serverErrorsTotal: number | undefined;
  readonly timeoutsTotal: number | undefined;
  readonly rssBytes: number | undefined;
  /** How long requests waited for a backend. */
  readonly queueWait: WaitMetric | undefined;
  /** How long a backend took until its answer began. */
  readonly upstreamHead: WaitMetric | undefined;
  /** Gauges that it has are left out, because they count connections that are gone. */
  readonly hasLeakedGauges: boolean;
}

/** A page that says nothing. */
export const NO_METRICS: InstanceMetrics = {
  cpuS: undefined,
  startTimeS: undefined,
  createdS: undefined,
  lag: undefined,
  inflightCount: undefined,
  openConnectionsCount: undefined,
  connectionLimitCount: undefined,
  latency: undefined,
  requestsTotal: undefined,
  acceptsTotal: undefined,
  handledTotal: undefined,
  serverErrorsTotal: undefined,
  timeoutsTotal: undefined,
  rssBytes: undefined,
  queueWait: undefined,
  upstreamHead: undefined,
  hasLeakedGauges: false,
};
