/** Runs the ladder over recorded samples: the same step as live, with the time of the recording. */

import { ParseError } from "../errors.ts";
import { step } from "../ladder/ladder.ts";
import { INITIAL_STATE, isDue } from "../ladder/state.ts";
import type { Decision } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { parseTraceLine, sampleOfRecord } from "./trace.ts";

/** A replay in progress: lines go in, decisions come out. */
export interface Replay {
  /**
   * Takes the next line of the trace.
   *
   * @returns The decision, or undefined for an empty line or a sample that was not due
   * @throws {ParseError} If the line is no sample, or its time does not rise
   */
  readonly take: (line: string) => Decision | undefined;
  /** Wall clock of the last line that has one. */
  readonly wallMs: () => number | undefined;
  /** Samples taken so far. */
  readonly sampleCount: () => number;
}

/**
 * Begins a replay. It keeps the state of the ladder alone, so that its memory does not grow with the trace.
 *
 * @param source Name of the trace, for errors
 */
export function beginReplay(rules: LadderRules, source: string): Replay {
  let state = INITIAL_STATE;
  let needs: "load" | "gate" = "load";
  let lineNumber = 0;
  let samples = 0;
  let lastMs = -1;
  let wallMs: number | undefined;
  return {
    take(line: string): Decision | undefined {
      lineNumber += 1;
      if (line === "" || line === "\r") return undefined;
      const record = parseTraceLine(line, source, lineNumber);
      const monotonicMs = Math.round(record.t * 1000);
      if (monotonicMs <= lastMs) {
        throw new ParseError(
          source,
          `t is ${record.t} after ${lastMs / 1000}, expected a later time`,
          lineNumber,
        );
      }
      lastMs = monotonicMs;
      samples += 1;
      wallMs = record.wall ?? wallMs;
      if (!isDue(state, monotonicMs)) return undefined;
      const result = step(state, sampleOfRecord(record, monotonicMs, needs), rules);
      state = result.state;
      needs = result.next.needs;
      return result.decision;
    },
    wallMs: () => wallMs,
    sampleCount: () => samples,
  };
}
