/**
 * Whether nginx has a master. Workers without one go on answering 200 and hold the ports, while nothing
 * reloads, rotates or replaces them.
 */

import type { WebTier } from "../../processes/web_tier.ts";
import { isNginxName } from "../../processes/web_tier.ts";
import type { Reading } from "../../reading.ts";
import { bad, type CheckResult, fine, unknown } from "../check.ts";
import { judged } from "./judge.ts";

/** Workers that finish their connections, for each that serves: two reloads are normal, more pile up. */
const SHUTTING_DOWN_PER_WORKER = 2;

/**
 * Judges the nginx processes of a host on which nginx should run. Never throws.
 *
 * @param web The web tier of this host, without what runs in containers
 */
export function judgeNginx(web: Reading<WebTier>): CheckResult {
  return judged(web, ({ nginx, orphans, unclear }) => {
    const orphanCount = orphans.filter(({ comm }) => isNginxName(comm)).length;
    const workerCount = nginx.reduce((sum, { workers }) => sum + workers.length, 0);
    const shuttingDownCount = nginx.reduce((sum, { shuttingDown }) => sum + shuttingDown.length, 0);
    const numbers = { masterCount: nginx.length, workerCount, shuttingDownCount, orphanCount };
    if (nginx.length === 0) {
      if (unclear.some(({ comm }) => isNginxName(comm))) {
        return unknown("an nginx is there whose part is not clear");
      }
      const orphanText = orphanCount === 0
        ? "no nginx runs"
        : `${orphanCount} workers of nginx have no master`;
      return bad("drain", orphanText, numbers);
    }
    if (orphanCount > 0) {
      return bad("warn", `${orphanCount} workers of nginx have no master, others do`, numbers);
    }
    if (workerCount === 0) return bad("drain", "nginx has a master and no worker", numbers);
    if (shuttingDownCount > SHUTTING_DOWN_PER_WORKER * workerCount) {
      return bad(
        "warn",
        `${shuttingDownCount} workers of nginx shut down beside ${workerCount} that serve`,
        numbers,
      );
    }
    return fine(`nginx serves with ${workerCount} workers`, numbers);
  });
}
