/** How the figures of an instance are called on a page of metrics, and what a page says under such names. */

import type { MetricNames } from "../config/pressure_config.ts";
import type { Labels } from "../prom/labels.ts";
import type { Histogram, InstanceMetrics, LagMetric, WaitMetric } from "./metrics.ts";
import {
  createdName,
  maybeCreatedS,
  maybeGauge,
  maybeLargest,
  maybeTotal,
  type Page,
} from "./page_figures.ts";
import { histogramsOf, maybeHistogram } from "./page_histogram.ts";

/** Names for each figure; of several, the first that a page has. Histograms are named without what is put behind. */
export type FigureNames = Readonly<Record<Figure, readonly string[]>>;

type Figure =
  | keyof MetricNames
  | "startTime"
  | "accepts"
  /** Answers, of which those count that a label says to be errors of the server. */
  | "answers";

/** No figure has a name. */
export const NO_NAMES: FigureNames = {
  cpu: [],
  startTime: [],
  lagP99: [],
  lagHistogram: [],
  inflight: [],
  connections: [],
  connectionLimit: [],
  latency: [],
  requests: [],
  accepts: [],
  serverErrors: [],
  answers: [],
  timeouts: [],
  queueWait: [],
  rss: [],
};

/** Labels that hold the status of an answer, such as `503` or `5xx`. */
const STATUS_LABELS = ["status_code", "status", "code", "http_status_code", "http_response_status_code"];
const SERVER_ERROR = /^5(?:\d\d|xx)$/i;

/** Names that a person has set, before those that are usual. */
export function withOwnNames(usual: FigureNames, own: MetricNames): FigureNames {
  const set = (name: string, others: readonly string[]): readonly string[] => name === "" ? others : [name];
  return {
    ...usual,
    cpu: set(own.cpu, usual.cpu),
    lagP99: set(own.lagP99, usual.lagP99),
    lagHistogram: set(own.lagHistogram, usual.lagHistogram),
    inflight: set(own.inflight, usual.inflight),
    connections: set(own.connections, usual.connections),
    connectionLimit: set(own.connectionLimit, usual.connectionLimit),
    latency: set(own.latency, usual.latency),
    requests: set(own.requests, usual.requests),
    serverErrors: set(own.serverErrors, usual.serverErrors),
    timeouts: set(own.timeouts, usual.timeouts),
    queueWait: set(own.queueWait, usual.queueWait),
    rss: set(own.rss, usual.rss),
  };
}

/** Names of all series that {@linkcode readFigures} may look for. */
export function seriesNames(names: FigureNames): ReadonlySet<string> {
  const wanted = new Set(Object.values(names).flat());
  for (const name of [...names.lagHistogram, ...names.latency, ...names.queueWait]) {
    for (const suffix of ["_bucket", "_sum", "_count"]) wanted.add(name + suffix);
  }
  for (const name of totalNames(names)) wanted.add(createdName(name));
  return wanted;
}

/**
 * What a page says under these names.
 *
 * Times are in seconds, unless a name ends with `_ms` or `_milliseconds`. Requests that nothing counts are those that the
 * latency was taken of. Where an answer has a status, the errors of the server are those with 5xx.
 *
 * @param lagBaselineMs What the lag is larger than by its own timer
 * @throws {ParseError} If a figure is there and wrong
 */
export function readFigures(page: Page, names: FigureNames, lagBaselineMs: number): InstanceMetrics {
  const total = (name: string): number | undefined => maybeTotal(page, name);
  const gauge = (name: string): number | undefined => maybeGauge(page, name);
  const latencyCounts = names.latency.map((name) => `${name}_count`);
  return {
    cpuS: first(names.cpu, total),
    startTimeS: first(names.startTime, (name) => maybeLargest(page, name, "refused")),
    createdS: maybeCreatedS(page, totalNames(names)),
    lag: first(names.lagHistogram, (name) => maybeLoops(page, name, lagBaselineMs)) ??
      first(names.lagP99, (name) => maybeLagP99(page, name, lagBaselineMs)),
    inflightCount: first(names.inflight, gauge),
    openConnectionsCount: first(names.connections, gauge),
    connectionLimitCount: first(names.connectionLimit, gauge),
    latency: first(names.latency, (name) => maybeHistogram(page, name, unitS(name))),
    requestsTotal: first([...names.requests, ...latencyCounts], total),
    acceptsTotal: first(names.accepts, total),
    handledTotal: undefined,
    serverErrorsTotal: names.serverErrors.length > 0
      ? first(names.serverErrors, (name) => maybeServerErrors(page, name) ?? total(name))
      : first([...names.answers, ...latencyCounts], (name) => maybeServerErrors(page, name)),
    timeoutsTotal: first(names.timeouts, total),
    rssBytes: first(names.rss, gauge),
    queueWait: first(names.queueWait, (name) => maybeWait(page, name)),
    upstreamHead: undefined,
    hasLeakedGauges: false,
  };
}

function first<T>(names: readonly string[], read: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const figure = read(name);
    if (figure !== undefined) return figure;
  }
  return undefined;
}

function totalNames(names: FigureNames): readonly string[] {
  const { cpu, latency, requests, accepts, serverErrors, answers, timeouts, queueWait } = names;
  return [cpu, latency, requests, accepts, serverErrors, answers, timeouts, queueWait].flat();
}

function unitS(name: string): number {
  return /_(?:ms|milliseconds)$/.test(name) ? 0.001 : 1;
}

/** The worst loop; the baseline is taken off, and less than nothing is nothing. NaN stays: it is a loop that never ran. */
function maybeLagP99(page: Page, name: string, baselineMs: number): LagMetric | undefined {
  const largest = maybeLargest(page, name, "kept");
  return largest === undefined
    ? undefined
    : { kind: "p99", ms: Math.max(0, largest * unitS(name) * 1000 - baselineMs) };
}

function maybeLoops(page: Page, name: string, baselineMs: number): LagMetric | undefined {
  const loops = histogramsOf(page, name, unitS(name));
  return loops.length === 0
    ? undefined
    : { kind: "loops", loops: loops.map((loop) => withoutBaseline(loop, baselineMs / 1000)) };
}

/** A histogram of values that are smaller by the baseline: what it had below that is 0. */
function withoutBaseline(histogram: Histogram, baselineS: number): Histogram {
  if (baselineS === 0) return histogram;
  const { bounds, counts, sumS } = histogram;
  const start = Math.max(0, bounds.filter((bound) => bound <= baselineS).length - 1);
  return {
    bounds: bounds.slice(start).map((bound) => Math.max(0, bound - baselineS)),
    counts: counts.slice(start),
    sumS: sumS === undefined ? undefined : Math.max(0, sumS - baselineS * (counts.at(-1) ?? 0)),
  };
}

function maybeWait(page: Page, name: string): WaitMetric | undefined {
  const sum = maybeTotal(page, `${name}_sum`);
  const count = maybeTotal(page, `${name}_count`);
  return sum === undefined || count === undefined ? undefined : { sumS: sum * unitS(name), count };
}

/** Those of answers that are 5xx; undefined where no label has the status. */
function maybeServerErrors(page: Page, name: string): number | undefined {
  let isTold = false;
  const errors = maybeTotal(page, name, (labels) => {
    const status = maybeStatus(labels);
    isTold ||= status !== undefined;
    return status !== undefined && SERVER_ERROR.test(status);
  });
  return isTold ? errors ?? 0 : undefined;
}

function maybeStatus(labels: Labels): string | undefined {
  for (const label of STATUS_LABELS) {
    const status = labels.get(label);
    if (status !== undefined) return status;
  }
  return undefined;
}
