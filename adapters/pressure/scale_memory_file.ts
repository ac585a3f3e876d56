/** What was scaled, in a small file in memory: the next agent keeps to the same cooldowns. */

import type { PastActions } from "../../mod/pressure/actions.ts";
import { parseScaleMemory, pastOf, renderScaleMemory } from "../../mod/pressure/scale_memory.ts";
import { writeAtomically } from "../atomic_file.ts";
import { maybeKept } from "../kept_file.ts";

/** Where it is kept by default. */
export const SCALE_MEMORY_FILE = "/run/loadweir/state/scaling.json";

/** Where scalings are kept from one agent to the next. Nothing here throws. */
export interface ScaleMemoryFile {
  /** What was done before this agent, as far as it counts. */
  readonly past: PastActions;
  /** Keeps what has been done so far. */
  readonly keep: (past: PastActions) => void;
}

/**
 * Opens the memory with its file at a path, for one agent at a time. An agent that finds none leaves one, so that those
 * after it do not wait for the cooldowns anew.
 *
 * @param bootMs Milliseconds since boot, now; all times kept are of that clock
 * @param report Told what could not be read or kept: the next agent then waits for both cooldowns
 */
export function openScaleMemory(
  path: string,
  bootId: string,
  bootMs: number,
  report: (line: string) => void,
): ScaleMemoryFile {
  const left = maybeKept(path, parseScaleMemory, report);
  const past = pastOf(left, bootId, bootMs);
  if (past !== left?.past) keep(past);
  return { past, keep };

  function keep(past: PastActions): void {
    // Lost with the host: it would be of another boot.
    const outcome = writeAtomically(path, renderScaleMemory({ bootId, past }), { durable: false });
    if (outcome.kind === "failed") report(outcome.error);
  }
}
