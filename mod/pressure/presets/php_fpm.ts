/**
 * The status page of a php-fpm pool, as JSON (`?json`) or in OpenMetrics (`?openmetrics`, from PHP 8.1).
 *
 *     phpfpm_accepted_connections 1
 *     phpfpm_active_processes 1
 *
 * Where the pool itself serves the page, the process that does so is among the active ones.
 *
 * @see https://www.php.net/manual/en/fpm.status.php
 */

import { parseFpmStatus } from "../../fpm_status.ts";
import { NO_NAMES } from "../figure_names.ts";
import { type InstanceMetrics, NO_METRICS } from "../metrics.ts";
import { expositionPreset, type Preset } from "./preset.ts";

const openMetrics = expositionPreset("phpfpm_", {
  ...NO_NAMES,
  inflight: ["phpfpm_active_processes"],
  requests: ["phpfpm_accepted_connections"],
});

/** A process serves one request, so those are the requests in flight. */
export const phpFpm: Preset = {
  isOf(text): boolean {
    return isJson(text) || openMetrics.isOf(text);
  },
  read(page, how, source): InstanceMetrics {
    if (!isJson(page.text)) return openMetrics.read(page, how, source);
    const status = parseFpmStatus(page.text, source);
    return {
      ...NO_METRICS,
      startTimeS: status.startTimeS,
      inflightCount: status.activeCount,
      requestsTotal: status.acceptedCount,
    };
  },
};

function isJson(text: string): boolean {
  return text.startsWith("{");
}
