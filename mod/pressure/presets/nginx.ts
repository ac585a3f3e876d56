/** The page of nginx's `stub_status`. It has neither CPU nor lag nor latency. */

import { parseStubStatus, STUB_STATUS_START } from "../../nginx/stub_status.ts";
import { type InstanceMetrics, NO_METRICS } from "../metrics.ts";
import type { Preset } from "./preset.ts";

/** Connections that only wait for another request are open, but nothing is in flight there. */
export const nginx: Preset = {
  isOf(text): boolean {
    return text.startsWith(STUB_STATUS_START);
  },
  read({ text }, _how, source): InstanceMetrics {
    const status = parseStubStatus(text, source);
    return {
      ...NO_METRICS,
      inflightCount: status.readingCount + status.writingCount,
      openConnectionsCount: status.activeCount,
      requestsTotal: status.requestsTotal,
      acceptsTotal: status.acceptsTotal,
      handledTotal: status.handledTotal,
    };
  },
};
