/**
 * The default metrics of prom-client, which Node programs export, and what they usually call those of their HTTP server.
 *
 *     process_cpu_seconds_total 0.047297
 *     nodejs_eventloop_lag_p99_seconds 0.012312575
 *
 * @see https://github.com/siimon/prom-client
 */

import { NO_NAMES } from "../figure_names.ts";
import { expositionPreset, type Preset } from "./preset.ts";

/**
 * Resolution of the timer by which prom-client samples the lag, in milliseconds: an idle loop reads as much, because the
 * percentiles are exported with it.
 *
 * @see https://github.com/siimon/prom-client/issues/370
 */
const LAG_BASELINE_MS = 10;

/** The lag since the last scrape: two that scrape take samples from each other. */
export const promClient: Preset = expositionPreset("nodejs_eventloop_lag_", {
  ...NO_NAMES,
  cpu: ["process_cpu_seconds_total"],
  startTime: ["process_start_time_seconds"],
  rss: ["process_resident_memory_bytes"],
  lagP99: ["nodejs_eventloop_lag_p99_seconds"],
  inflight: [
    "http_requests_in_flight",
    "http_requests_in_progress",
    "http_requests_inflight",
    "http_in_flight_requests",
    "http_active_requests",
    "http_server_active_requests",
  ],
  latency: ["http_request_duration_seconds", "http_server_request_duration_seconds"],
  requests: ["http_requests_total"],
  answers: ["http_requests_total"],
}, LAG_BASELINE_MS);
