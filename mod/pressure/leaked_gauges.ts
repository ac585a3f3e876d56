/**
 * Gauges that count connections which are gone.
 *
 * A worker of nginx that is killed never takes its connections off the shared counts, so that `Active connections` stays
 * too large for good, and `Reading` and `Writing` with it. More connections than the kernel has sockets prove it.
 *
 * @see https://github.com/nginx/nginx/issues/131
 */

import { mapReading } from "../reading.ts";
import type { InstanceSample } from "./sample.ts";

/**
 * The sample, with gauges that cannot be true unknown. Never throws.
 *
 * @param socketsCount Sockets of every kind in the network of this host; undefined where that is not known. It says nothing
 * of an instance of which no process is known: it may be in a container, which has a network of its own
 */
export function withoutLeakedGauges(
  sample: InstanceSample,
  socketsCount: number | undefined,
): InstanceSample {
  if (socketsCount === undefined || sample.group.kind !== "ok" || sample.group.value.length === 0) {
    return sample;
  }
  return {
    ...sample,
    metrics: mapReading(
      sample.metrics,
      (metrics) =>
        (metrics.openConnectionsCount ?? 0) <= socketsCount ? metrics : {
          ...metrics,
          inflightCount: undefined,
          openConnectionsCount: undefined,
          hasLeakedGauges: true,
        },
    ),
  };
}
