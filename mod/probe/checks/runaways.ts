/** Processes that cron starts and that do not end: each is small, and a night of them fills the host. */

import type { Reading } from "../../reading.ts";
import { bad, type CheckResult, fine, unknown } from "../check.ts";
import { judged } from "./judge.ts";

/** From this age on a job of cron is taken for one that hangs. */
export const RUNAWAY_AGE_MS = 600_000;

/** As many of them may be there. */
export const RUNAWAY_LIMIT_COUNT = 20;

/**
 * Counts those of the listed names that are old; more than the limit is a warning, never a drain. Never throws.
 *
 * @param agesMs Of every process that has one of the names; undefined where its start is not known
 */
export function judgeRunaways(agesMs: Reading<readonly (number | undefined)[]>): CheckResult {
  return judged(agesMs, (ages) => {
    const oldCount = ages.filter((ageMs) => ageMs !== undefined && ageMs > RUNAWAY_AGE_MS).length;
    const unknownCount = ages.filter((ageMs) => ageMs === undefined).length;
    const evidence = `${oldCount} listed processes older than 10 m`;
    const numbers = { oldCount, foundCount: ages.length };
    if (oldCount > RUNAWAY_LIMIT_COUNT) {
      return bad("warn", `${evidence}, over ${RUNAWAY_LIMIT_COUNT}`, numbers);
    }
    return oldCount + unknownCount > RUNAWAY_LIMIT_COUNT
      ? unknown(`${evidence}, and ${unknownCount} of unknown age`)
      : fine(evidence, numbers);
  });
}
