/** The look at the share of answers that are errors, from the access log of nginx. */

import type { CheckResult } from "../../mod/probe/check.ts";
import { type AccessFormat, countAccess } from "../../mod/probe/checks/access_line.ts";
import { type ErrorWatch, NO_ERRORS_WATCHED, watchErrors } from "../../mod/probe/checks/server_errors.ts";
import type { Levels } from "../../mod/probe/thresholds.ts";
import { mapReading, maybeValue } from "../../mod/reading.ts";
import { PROBE_MARK } from "../../mod/probe/site_request.ts";
import type { Clock } from "../clock.ts";
import { createAccessTail } from "./access_tail.ts";

/** Which log is read, and how its lines are written. */
export interface AccessLog {
  readonly path: string;
  readonly format: AccessFormat;
}

/** Where nginx of most distributions writes, and how. */
export const DEFAULT_ACCESS_LOG: AccessLog = {
  path: "/var/log/nginx/access.log",
  format: { kind: "combined" },
};

/** Makes the look, which remembers the log between two looks. It never rejects. */
export function createErrorLook(
  { path, format }: AccessLog,
  clock: Clock,
  levels: Levels,
): () => Promise<CheckResult> {
  const tail = createAccessTail(path);
  let watch: ErrorWatch = NO_ERRORS_WATCHED;
  return async () => {
    const added = await tail.readNew();
    const counts = mapReading(added, ({ lines }) => countAccess(lines, format, PROBE_MARK));
    watch = watchErrors(watch, counts, clock.monotonicMs(), levels);
    const skippedBytes = maybeValue(added)?.skippedBytes ?? 0;
    const { result } = watch;
    if (skippedBytes === 0 || result.state === "unknown") return result;
    return { ...result, numbers: { ...result.numbers, skippedBytes } };
  };
}
