/** The kernel's table of connections: when it is full, new ones are dropped, those of checks too. */

import type { Reading } from "../../reading.ts";
import { type CheckResult, fine } from "../check.ts";
import type { Levels } from "../thresholds.ts";
import { compareShare, judged } from "./judge.ts";

/**
 * Entries against what the table can hold. Never throws.
 *
 * @param count Absent where connections are not tracked: there is no table that could be full
 * @param maxCount 0 is no limit
 */
export function judgeConntrack(
  count: Reading<number>,
  maxCount: Reading<number>,
  levels: Levels,
): CheckResult {
  if (count.kind === "absent") return fine(`connections are not tracked: ${count.reason}`);
  return judged(
    count,
    (entries) =>
      judged(
        maxCount,
        (max) =>
          max === 0
            ? fine(`${entries} tracked connections, without a limit`, { count: entries })
            : compareShare(entries, max, "tracked connections", levels),
      ),
  );
}
