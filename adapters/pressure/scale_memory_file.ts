/** What was scaled, in a small file in memory: the next agent keeps to the same cooldowns. */

import { messageOf } from "../../mod/errors.ts";
import {
  parseScaleMemory,
  pastOf,
  renderScaleMemory,
  type ScaleMemory,
  type ScalePast,
} from "../../mod/pressure/scale_memory.ts";
import { writeAtomically } from "../atomic_file.ts";
import { maybeText } from "../quiet_file.ts";

/** Where it is kept by default. */
export const SCALE_MEMORY_FILE = "/run/loadweir/state/scaling.json";

/** Where scalings are kept from one agent to the next. Nothing here throws. */
export interface ScaleMemoryFile {
  /** What the agent before left, as far as it counts. */
  readonly past: ScalePast;
  /** Keeps what has been done so far. */
  readonly keep: (memory: Omit<ScaleMemory, "bootId">) => void;
}

/**
 * Opens the memory with its file at a path, for one agent at a time.
 *
 * @param bootMs Milliseconds since boot, now
 * @param report Told what could not be read or kept: the next agent then waits for both cooldowns
 */
export function openScaleMemory(
  path: string,
  bootId: string,
  bootMs: number,
  report: (line: string) => void,
): ScaleMemoryFile {
  return {
    past: pastOf(readLeft(path, report), bootId, bootMs),
    keep({ actions, failedAtBootMs }: Omit<ScaleMemory, "bootId">): void {
      // Lost with the host: it would be of another boot.
      const text = renderScaleMemory({ bootId, actions, failedAtBootMs });
      const outcome = writeAtomically(path, text, { durable: false });
      if (outcome.kind === "failed") report(outcome.error);
    },
  };
}

function readLeft(path: string, report: (line: string) => void): ScaleMemory | undefined {
  const text = maybeText(path);
  if (text === undefined) return undefined;
  try {
    return parseScaleMemory(text, path);
  } catch (error) {
    report(messageOf(error));
    return undefined;
  }
}
