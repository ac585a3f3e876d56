/**
 * The instances of the web tier, each in a section of its own:
 *
 * ```ini
 * [instance:web]
 * metrics = http://127.0.0.1:9101/metrics
 * unit = web.service
 * ```
 */

import { METRICS_ADDRESS } from "./metrics_address.ts";
import type { NamedKey, NamedKeys, NamedKind } from "./named_section.ts";
import type { InstanceConfig, MetricNames } from "./pressure_config.ts";
import {
  CPUS_OR_AUTO,
  MAYBE_METRIC_NAME,
  MAYBE_PID_FILE,
  MAYBE_UNIT,
  METRICS_PRESET,
} from "./pressure_values.ts";
import { durationType, integerType, maybeType } from "./values.ts";

/** What a section of an instance says: the names of its figures stand beside the rest. */
type InstanceSettings = Omit<InstanceConfig, "name" | "names"> & MetricNames;

const KEYS: NamedKeys<InstanceSettings> = {
  metrics: {
    key: "metrics",
    type: maybeType(METRICS_ADDRESS),
    fallback: () => undefined,
    help: "where it tells its figures",
  },
  preset: {
    key: "preset",
    type: METRICS_PRESET,
    fallback: () => "auto",
    help: "how they are called; auto goes by the page, generic by the names below",
  },
  unit: { key: "unit", type: MAYBE_UNIT, fallback: () => "", help: "its unit of systemd" },
  pidFile: {
    key: "pid_file",
    type: MAYBE_PID_FILE,
    fallback: () => "",
    help: "the file of its pid, read through the proc root",
  },
  cpus: {
    key: "cpus",
    type: CPUS_OR_AUTO,
    fallback: () => 0,
    help: "CPUs that it may use; 0 is one for each loop",
  },
  loopsCount: {
    key: "loops",
    type: integerType(1, 1024),
    fallback: () => 1,
    help: "its event loops or workers",
  },
  connectionLimitCount: {
    key: "connection_limit",
    type: integerType(0, 100_000_000),
    fallback: () => 0,
    help: "connections that it may have; 0 is what its page says",
  },
  lagBaselineMs: {
    key: "lag_baseline",
    type: maybeType(durationType(1, 60_000, "no such time")),
    fallback: () => undefined,
    help: "its lag is too large by so much, the period of its own timer; empty is the preset's",
  },
  cpu: nameKey("cpu", "CPU time in seconds"),
  lagP99: nameKey("lag_p99", "99th percentile of the loop lag in seconds"),
  lagHistogram: nameKey("lag_histogram", "histogram of the loop lag in seconds"),
  inflight: nameKey("inflight", "requests that are being served"),
  connections: nameKey("connections", "open connections"),
  connectionLimit: nameKey("connection_limit", "connections that there may be"),
  latency: nameKey("latency", "histogram of the time to an answer in seconds"),
  requests: nameKey("requests", "requests so far"),
  serverErrors: nameKey("errors", "answers so far that were server errors"),
  timeouts: nameKey("timeouts", "requests so far that timed out"),
  queueWait: nameKey("queue_wait", "summary or histogram of the wait for a backend in seconds"),
  rss: nameKey("rss", "resident memory in bytes"),
};

/** Sections of instances. */
export const INSTANCES: NamedKind<InstanceSettings, InstanceConfig> = {
  maybeName: (section) => /^instance\s*:\s*(\S.*)$/.exec(section)?.[1],
  keys: KEYS,
  noun: "instance",
  leftOut: "is not watched",
  maybeFlaw: ({ metrics, unit, pidFile }) =>
    metrics === undefined && unit === "" && pidFile === ""
      ? `has no good ${KEYS.metrics.key}, ${KEYS.unit.key} or ${KEYS.pidFile.key}`
      : undefined,
  make: (
    name,
    { metrics, preset, unit, pidFile, cpus, loopsCount, connectionLimitCount, lagBaselineMs, ...names },
  ) => ({
    name,
    metrics,
    preset,
    unit,
    pidFile,
    cpus,
    loopsCount,
    connectionLimitCount,
    lagBaselineMs,
    names,
  }),
};

function nameKey(key: string, help: string): NamedKey<string, InstanceSettings> {
  return {
    key: `metric_${key}`,
    type: MAYBE_METRIC_NAME,
    fallback: () => "",
    help: `generic preset: name of ${help}`,
  };
}
