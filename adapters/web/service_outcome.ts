/** What became of one service that was to be stopped or started. */

import type { ServiceRef } from "../../mod/hold/service_ref.ts";

/** What became of one service. */
export interface ServiceOutcome {
  readonly service: ServiceRef;
  /**
   * Seen and not believed. After a stop: no process of it is left. After a start: it serves, which is a
   * master, its workers and a socket that waits for connections.
   */
  readonly ok: boolean;
  /** After a start that failed: it is not installed any more, or somebody has masked it. */
  readonly isGone?: boolean;
  /** What was done, for people, one line. */
  readonly text: string;
  readonly tookMs: number;
  /** Pids of its processes that are there now. */
  readonly left: readonly number[];
}
