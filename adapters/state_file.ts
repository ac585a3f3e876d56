/** The state of the running agent on disk, for `status`. */

import { messageOf } from "../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../mod/reading.ts";
import {
  type AgentState,
  ageOfState,
  parseState,
  renderState,
  type StateMoment,
} from "../mod/report/state.ts";
import { describeFileError, writeAtomically, type WriteOutcome } from "./atomic_file.ts";

/** Where the state is. */
export const STATE_PATH = "/run/loadweir/state/status.json";

/** A state, and how old it is. */
export interface AgedState {
  readonly state: AgentState;
  /** Undefined when it is from another boot. */
  readonly ageMs: number | undefined;
}

/**
 * Writes the state; everybody may read it. It is not flushed: lost with the host, it is not missed. Never
 * throws.
 */
export function writeState(path: string, state: AgentState): WriteOutcome {
  return writeAtomically(path, renderState(state), { durable: false, mode: 0o644 });
}

/**
 * Reads the state that an agent left, alive or not: the age tells. Never throws.
 *
 * @returns Absent where no agent has written one since the host started
 */
export function readState(path: string, now: StateMoment): Reading<AgedState> {
  try {
    const state = parseState(Deno.readTextFileSync(path), path);
    return ok({ state, ageMs: ageOfState(state, now) });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return absent(`there is no ${path}: no agent has run`);
    return failed(
      error instanceof Error && error.name === "ParseError"
        ? messageOf(error)
        : `Cannot read ${path}: ${describeFileError(error, path)}`,
    );
  }
}
