/** What the window of one instance comes to. */

import type { Histogram, InstanceMetrics } from "./metrics.ts";
import { type CounterPoint, increaseOf } from "./counter.ts";
import { bucketDelta, mergeBuckets, quantileOf } from "./histogram.ts";
import type { Interval } from "./interval.ts";
import { instanceComponents } from "./components.ts";
import { GAP_MS, type InstancePoint, type InstanceWindow } from "./instance_window.ts";
import { FRESH_MS, meanOf, nearestRank, rateOf } from "./points.ts";
import { meanWaitMs } from "./queue_wait.ts";
import type { InstanceRules, PressureRules } from "./rules.ts";

/** Whether an instance counts: `new` ones are set aside, `stale` ones do not answer though they run. */
export type InstanceStanding = "counts" | "new" | "stale" | "stopped";

/** Figures of one instance over the window. Undefined is unknown. */
export interface InstanceFigures {
  readonly name: string;
  readonly standing: InstanceStanding;
  readonly cpus: number;
  readonly loops: number;
  readonly validSamples: number;
  /** CPU used of what is assigned, as measured. */
  readonly cpuRatio: number | undefined;
  /** NaN where a loop never ran. */
  readonly lagP99Ms: number | undefined;
  readonly inflightCount: number | undefined;
  readonly openConnectionsCount: number | undefined;
  readonly connectionLimitCount: number | undefined;
  /** Observations of the window. */
  readonly latency: Histogram | undefined;
  readonly latencyP50Ms: number | undefined;
  readonly latencyP95Ms: number | undefined;
  readonly latencyP99Ms: number | undefined;
  readonly rssMiB: number | undefined;
  readonly requestsPerS: number | undefined;
  readonly acceptsPerS: number | undefined;
  /** Connections that were accepted and dropped. */
  readonly droppedPerS: number | undefined;
  readonly serverErrorsPerS: number | undefined;
  readonly timeoutsPerS: number | undefined;
  readonly queueWaitMs: number | undefined;
  readonly upstreamHeadMs: number | undefined;
  /** Its own score, wherever it may lie. */
  readonly score: Interval;
  /** What could not be true: a CPU above what there is, totals that were reset twice, gauges above the sockets. */
  readonly anomalies: readonly string[];
}

/** A gauge that is a quantile already is taken at the 14th of 15 samples: one pause of a collector is no lag. */
const GAUGE_QUANTILE = 0.9;

/** A tick more than there is can be measured; more than that is a wrong number of CPUs. */
const CPU_OVER = 1.05;

/** More resets than this in one window are an instance that restarts, or two of one name. */
const RESETS_ALLOWED = 1;

/** The figures of a window at a time. Never throws. */
export function figuresOf(
  window: InstanceWindow,
  atMs: number,
  rules: PressureRules,
  own: InstanceRules,
): InstanceFigures {
  const { points } = window;
  const standing = standingOf(window, atMs, rules);
  const metered = points.flatMap(({ metrics, atMs: pointMs }) =>
    metrics === undefined ? [] : [{ atMs: pointMs, metrics }]
  );
  const latest = metered.at(-1)?.metrics;
  const { perS, resets } = ratesOf(metered, window.identity ?? "");
  const groupCpuPerS = rateOf(points, ({ groupCpuS }) => groupCpuS);
  const cpuPerS = groupCpuPerS ?? perS("cpuS");
  const cpuRatio = cpuPerS === undefined ? undefined : cpuPerS / own.cpus;
  const lagP99Ms = lagOf(metered);
  const inflightCount = gaugeOf(metered, "inflightCount");
  const latency = grownBy(metered, ({ latency }) => latency);
  const acceptsPerS = perS("acceptsTotal");
  const handledPerS = perS("handledTotal");
  const valid = points.filter(isValid);
  const isFresh = atMs - (valid.at(-1)?.atMs ?? -Infinity) <= FRESH_MS;
  return {
    name: window.name,
    standing,
    cpus: own.cpus,
    loops: own.loops,
    validSamples: resets <= RESETS_ALLOWED && isFresh ? valid.length : 0,
    cpuRatio,
    lagP99Ms,
    inflightCount,
    openConnectionsCount: gaugeOf(metered, "openConnectionsCount"),
    connectionLimitCount: own.connectionLimit ?? latest?.connectionLimitCount,
    latency,
    latencyP50Ms: quantileMs(0.5, latency),
    latencyP95Ms: quantileMs(0.95, latency),
    latencyP99Ms: quantileMs(0.99, latency),
    rssMiB: rssOf(points),
    requestsPerS: perS("requestsTotal"),
    acceptsPerS,
    droppedPerS: acceptsPerS === undefined || handledPerS === undefined
      ? undefined
      : Math.max(0, acceptsPerS - handledPerS),
    serverErrorsPerS: perS("serverErrorsTotal"),
    timeoutsPerS: perS("timeoutsTotal"),
    queueWaitMs: meanWaitMs(metered.map((point) => ({ atMs: point.atMs, wait: point.metrics.queueWait })), 1),
    upstreamHeadMs: meanWaitMs(
      metered.map((point) => ({ atMs: point.atMs, wait: point.metrics.upstreamHead })),
      1,
    ),
    score:
      instanceComponents({ cpuRatio, lagP99Ms, inflightCount, loops: own.loops }, rules.thresholds).score,
    anomalies: [
      ...cpuRatio !== undefined && cpuRatio > CPU_OVER ? ["cpu_over"] : [],
      ...resets > RESETS_ALLOWED ? ["resets"] : [],
      ...latest?.hasLeakedGauges ? ["gauges_leaked"] : [],
      ...inflightCount !== undefined && inflightCount < 0 ? ["inflight_negative"] : [],
    ],
  };

  /** The page came whole, and the processes were read: of one that has no page, or does not answer, these alone. */
  function isValid({ metrics, groupCpuS }: InstancePoint): boolean {
    const isPageNeeded = window.hasPage && standing !== "stale";
    return !(isPageNeeded && metrics === undefined) && !(window.hasGroup && groupCpuS === undefined);
  }
}

/** A quantile of what was observed in milliseconds; undefined where nothing was. Never throws. */
export function quantileMs(quantile: number, buckets: Histogram | undefined): number | undefined {
  if (buckets === undefined) return undefined;
  const { value } = quantileOf(quantile, buckets);
  return Number.isNaN(value) ? undefined : value * 1_000;
}

function standingOf(window: InstanceWindow, atMs: number, rules: PressureRules): InstanceStanding {
  const { processes: { group }, groupAtMs, hasGroup, hasPage, firstSeenMs, isNew } = window;
  const { firstAnswerMs, lastAnswerMs } = window;
  // One whose processes could not be read since may have been started since.
  const isGroupKnown = groupAtMs !== undefined && atMs - groupAtMs <= GAP_MS;
  if (isGroupKnown && group?.length === 0) return "stopped";
  if (!hasPage) return "counts";
  if (firstAnswerMs === undefined || lastAnswerMs === undefined) {
    if (!hasGroup && rules.runsByAnswer) return "stopped";
    return atMs - firstSeenMs < rules.startTimeoutMs && isGroupKnown ? "new" : "stale";
  }
  // Even where only answers tell that it runs: it may be too busy for one.
  if (atMs - lastAnswerMs > GAP_MS) return "stale";
  return isNew && atMs - firstAnswerMs < rules.warmupMs ? "new" : "counts";
}

interface Metered {
  readonly atMs: number;
  readonly metrics: InstanceMetrics;
}

/** Members of a page that only grow. */
type TotalKey =
  | "cpuS"
  | "requestsTotal"
  | "acceptsTotal"
  | "handledTotal"
  | "serverErrorsTotal"
  | "timeoutsTotal";

const TOTALS: readonly TotalKey[] = [
  "cpuS",
  "requestsTotal",
  "acceptsTotal",
  "handledTotal",
  "serverErrorsTotal",
  "timeoutsTotal",
];

/** How fast the totals grew, and how often they were reset. */
function ratesOf(
  metered: readonly Metered[],
  identity: string,
): { readonly perS: (key: TotalKey) => number | undefined; readonly resets: number } {
  const grown = new Map(TOTALS.map((key) => {
    const points = metered.map(({ atMs, metrics }): CounterPoint => ({
      monotonicMs: atMs,
      value: metrics[key],
      identity,
      createdS: metrics.createdS,
    }));
    return [key, increaseOf(points)];
  }));
  return {
    perS(key): number | undefined {
      const one = grown.get(key);
      return one === undefined || one.overMs <= 0 ? undefined : one.increase / (one.overMs / 1_000);
    },
    resets: Math.max(...TOTALS.map((key) => grown.get(key)?.resetsCount ?? 0)),
  };
}

/** The mean of a gauge; undefined where the newest page does not have it: what it was before says nothing of now. */
function gaugeOf(
  metered: readonly Metered[],
  key: "inflightCount" | "openConnectionsCount",
): number | undefined {
  if (metered.at(-1)?.metrics[key] === undefined) return undefined;
  return meanOf(metered.flatMap(({ metrics }) => metrics[key] ?? []));
}

/**
 * What a histogram grew by: the sum of what it did from page to page, so that no reset in between is missed. Undefined
 * with fewer than two pages that have it, and where the newest does not.
 */
function grownBy(
  metered: readonly Metered[],
  of: (metrics: InstanceMetrics) => Histogram | undefined,
): Histogram | undefined {
  const newest = metered.at(-1);
  if (newest === undefined || of(newest.metrics) === undefined) return undefined;
  const seen = metered.flatMap(({ metrics }) => {
    const histogram = of(metrics);
    return histogram === undefined ? [] : [{ histogram, createdS: metrics.createdS }];
  });
  const deltas = seen.slice(1).map(({ histogram, createdS }, index) => {
    const before = seen[index];
    const isNewer = createdS !== undefined && before?.createdS !== undefined && createdS > before.createdS;
    return bucketDelta(before?.histogram ?? histogram, histogram, isNewer);
  });
  return deltas.length === 0 ? undefined : mergeBuckets(deltas);
}

/** The lag of the worst loop; undefined where the newest page does not tell it. */
function lagOf(metered: readonly Metered[]): number | undefined {
  const newest = metered.at(-1)?.metrics.lag;
  if (newest === undefined) return undefined;
  if (newest.kind === "p99") {
    return nearestRank(
      metered.flatMap(({ metrics: { lag } }) => lag?.kind === "p99" ? [lag.ms] : []),
      GAUGE_QUANTILE,
    );
  }
  // A loop is told from others by its place, which moves where one comes or goes: then all begin anew.
  const loopsOf = ({ metrics: { lag } }: Metered): readonly Histogram[] =>
    lag?.kind === "loops" ? lag.loops : [];
  const others = metered.findLastIndex((one) =>
    one.metrics.lag !== undefined && loopsOf(one).length !== newest.loops.length
  );
  const same = metered.slice(others + 1);
  const lags = newest.loops.flatMap((_, index) => {
    const grown = grownBy(same, ({ lag }) => lag?.kind === "loops" ? lag.loops[index] : undefined);
    return grown === undefined ? [] : [quantileOf(0.99, grown).value * 1_000];
  });
  return lags.length < newest.loops.length ? undefined : nearestRank(lags, 1);
}

function rssOf(points: readonly InstancePoint[]): number | undefined {
  const kib = points.at(-1)?.rssKib;
  return kib === undefined ? undefined : kib / 1_024;
}

/** The observations of several instances together; undefined where one of those asked for has none. Never throws. */
export function mergedLatency(figures: readonly InstanceFigures[]): Histogram | undefined {
  const latencies = figures.flatMap(({ latency }) => latency ?? []);
  return latencies.length === 0 || latencies.length < figures.length ? undefined : mergeBuckets(latencies);
}
