/** What a look at a pool of php-fpm says of how busy it is. */

import type { FpmPoolLook } from "../probe/checks/fpm.ts";
import { maybeValue } from "../reading.ts";
import type { PoolSample } from "./sample.ts";

/** The figures of a pool. Never throws. */
export function poolSampleOf(look: FpmPoolLook): PoolSample {
  return {
    name: look.name,
    maxCount: look.maxChildrenCount,
    busyCount: maybeBusyCount(look),
    waitingCount: maybeValue(look.waitingCount),
    limitReachedCount: look.page.kind === "shown" ? look.page.limitReachedCount : undefined,
  };
}

/**
 * A page that does not come is not made for want of a worker, where there are as many as there may be. A page that was
 * not asked for says nothing: how many of the workers that there are serve somebody is not known.
 */
function maybeBusyCount({ page, workerCount, maxChildrenCount }: FpmPoolLook): number | undefined {
  switch (page.kind) {
    case "shown":
      if (page.activeCount === undefined) return undefined;
      // Over the pool's own socket one of them made the page.
      return Math.max(0, page.activeCount - (page.isOwnSocket ? 1 : 0));
    case "timed-out":
      return workerCount.kind === "ok" && workerCount.value >= maxChildrenCount
        ? maxChildrenCount
        : undefined;
    case "spared":
    case "none":
      return undefined;
  }
}
