/**
 * The Prometheus exporter that is built into HAProxy.
 *
 *     haproxy_process_current_connections 4
 *     haproxy_backend_current_sessions{proxy="app"} 3
 *
 * It has no lag: `haproxy_process_idle_time_percent` is the share of time spent waiting, which is CPU seen from the other
 * side. It has no total of times either: its means run over the last 1024 requests, and no sum can be made of them.
 *
 * @see https://github.com/haproxy/haproxy/blob/master/addons/promex/README
 */

import { NO_NAMES } from "../figure_names.ts";
import { expositionPreset, type Preset } from "./preset.ts";

/** Sessions at backends are requests that wait or are served; those at frontends are also connections that are kept. */
export const haproxy: Preset = expositionPreset("haproxy_", {
  ...NO_NAMES,
  startTime: ["haproxy_process_start_time_seconds"],
  inflight: ["haproxy_backend_current_sessions"],
  connections: ["haproxy_process_current_connections"],
  connectionLimit: ["haproxy_process_max_connections"],
  requests: ["haproxy_process_requests_total"],
  accepts: ["haproxy_process_connections_total"],
  answers: ["haproxy_frontend_http_responses_total"],
});
