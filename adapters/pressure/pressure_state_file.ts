/** What the running agent found of pressure, on disk for `pressure` and `status`. */

import { messageOf } from "../../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../../mod/reading.ts";
import {
  parsePressureState,
  type PressureView,
  renderPressureState,
} from "../../mod/report/pressure_view.ts";
import { describeFileError, writeAtomically, type WriteOutcome } from "../atomic_file.ts";

/** Where it is. */
export const PRESSURE_STATE_PATH = "/run/loadweir/state/pressure.json";

/** Older than this many milliseconds it is of an agent that has ended, or watches nothing any more. */
const FRESH_MS = 15_000;

/** Writes it; everybody may read it. Never throws. */
export function writePressureState(view: PressureView): WriteOutcome {
  return writeAtomically(PRESSURE_STATE_PATH, renderPressureState(view), { durable: false, mode: 0o644 });
}

/**
 * Reads what was found of late. Never throws.
 *
 * @returns Absent where no agent watches pressure now
 */
export function readPressureState(
  now: { readonly bootMs: number; readonly bootId: string },
): Reading<PressureView> {
  try {
    const view = parsePressureState(Deno.readTextFileSync(PRESSURE_STATE_PATH), PRESSURE_STATE_PATH);
    const isFresh = view.bootId === now.bootId && now.bootMs - view.evaluatedBootMs < FRESH_MS;
    return isFresh ? ok(view) : absent("no agent watches pressure now");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return absent("no agent has watched pressure");
    return failed(
      error instanceof Error && error.name === "ParseError"
        ? messageOf(error)
        : `Cannot read ${PRESSURE_STATE_PATH}: ${describeFileError(error, PRESSURE_STATE_PATH)}`,
    );
  }
}
