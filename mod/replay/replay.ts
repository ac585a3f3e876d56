/** Runs the ladder over recorded samples: the same step as live, with the time of the recording. */

import { ParseError } from "../errors.ts";
import { needsOf, step } from "../ladder/ladder.ts";
import { INITIAL_STATE, isDue } from "../ladder/state.ts";
import type { Decision } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { beginComparison, type Comparison } from "./comparison.ts";
import { type JournalHead, maybeJournalHead } from "./journal_head.ts";
import { parseTraceLine, sampleOfRecord, type TraceRecord } from "./trace.ts";

/** A replay in progress: lines go in, decisions come out. */
export interface Replay {
  /**
   * Takes the next line of the trace.
   *
   * @returns The decision, or undefined for an empty line, the head of a journal or a sample that was not due
   * @throws {ParseError} If the line is no sample and no head, or its time does not rise
   */
  readonly take: (line: string) => Decision | undefined;
  /** Wall clock of the last line that has one. */
  readonly wallMs: () => number | undefined;
  /** What is decided by now. */
  readonly rules: () => LadderRules;
  /** Samples taken so far. */
  readonly sampleCount: () => number;
  /** How the decisions differ from those that were taken then, where the trace says them. */
  readonly comparison: () => Comparison;
}

/**
 * Begins a replay. It keeps the state of the ladder alone, so that its memory does not grow with the trace.
 *
 * @param firstRules What is decided by, until a head of a journal says otherwise
 * @param source Name of the trace, for errors
 * @param rulesOf What is decided by below a head of a journal; by default as above it
 */
export function beginReplay(
  firstRules: LadderRules,
  source: string,
  rulesOf: (head: JournalHead) => LadderRules = () => firstRules,
): Replay {
  let state = INITIAL_STATE;
  let rules = firstRules;
  let isJournal = false;
  const compared = beginComparison();
  let lineNumber = 0;
  let samples = 0;
  let lastMs = -1;
  let wallMs: number | undefined;
  /** Of a line of a journal that is cut: whoever wrote it was ended within it, and what follows must be a head. */
  let torn: unknown;

  /** The record in a line; undefined for what is none, but may be there. */
  function recordIn(line: string): TraceRecord | undefined {
    try {
      const head = maybeJournalHead(line, source, lineNumber);
      if (head === undefined) {
        if (torn !== undefined) throw torn;
        return parseTraceLine(line, source, lineNumber);
      }
      ({ state } = head);
      rules = rulesOf(head);
      isJournal = true;
      lastMs = -1;
      torn = undefined;
    } catch (error) {
      if (!isJournal || torn !== undefined) throw error;
      torn = error;
    }
    return undefined;
  }

  return {
    take(line: string): Decision | undefined {
      lineNumber += 1;
      if (line === "" || line === "\r") return undefined;
      const record = recordIn(line);
      if (record === undefined) return undefined;
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
      if (!isDue(state, monotonicMs) && record.asked === undefined) return undefined;
      const result = step(state, sampleOfRecord(record, monotonicMs, needsOf(state)), rules);
      state = result.state;
      if (record.decided !== undefined) compared.add(lineNumber, record.decided, result.decision);
      return result.decision;
    },
    rules: () => rules,
    wallMs: () => wallMs,
    sampleCount: () => samples,
    comparison: compared.comparison,
  };
}
