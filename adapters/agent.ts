/** The loop: wait until a sample is due, take it, step, act, report. */

import type { Decision } from "../mod/ladder/decision.ts";
import { type Needs, step } from "../mod/ladder/ladder.ts";
import type { LadderRules } from "../mod/ladder/rules.ts";
import type { Sample } from "../mod/ladder/sample.ts";
import { INITIAL_STATE, isDue, type LadderState } from "../mod/ladder/state.ts";
import type { Clock } from "./clock.ts";
import type { Executor, Outcome } from "./executor.ts";
import type { Sampler } from "./sampler.ts";

/** One evaluation and all that belongs to it. */
export interface Pass {
  readonly sample: Sample;
  readonly decision: Decision;
  readonly outcomes: readonly Outcome[];
  /** How much later than due the sample was taken, in milliseconds. */
  readonly lateMs: number;
  /** What it was evaluated by: the same three give the same decision at any time. */
  readonly before: LadderState;
  readonly rules: LadderRules;
}

/** What the loop works with. */
export interface AgentPorts {
  /** The rules of now: they may change between two evaluations. */
  readonly rules: () => LadderRules;
  readonly clock: Clock;
  readonly sampler: Sampler;
  readonly execute: Executor;
  /** What is to be known of a hold and of what a person asked for; absent in an audit, which holds nothing. */
  readonly observe?: () => Promise<Pick<Sample, "byHand" | "heldWeb">>;
  /** Whether a person asks for something: then an evaluation follows at once, however far the next one is away. */
  readonly isAsked?: () => boolean;
  /** Told every two seconds that the loop waits for what is due, and goes on. */
  readonly waiting?: () => void;
  /** Keeps a new state before anything is done about it; absent in an audit, which leaves no trace. */
  readonly remember?: (state: LadderState) => Promise<void>;
  /** Told of each evaluation. */
  readonly report: (pass: Pass) => void | Promise<void>;
}

/** How the loop runs. */
export interface AgentOptions {
  /** End after so many passes, each with its re-check; undefined is without end. */
  readonly passLimit: number | undefined;
  /** Go on after the last pass for as long as the web is held: whoever holds must be there to give back. */
  readonly stayWhileHolding?: boolean;
  /** Read on every pass what only a drastic tier needs: for a person who watches. */
  readonly closeLook: boolean;
  /** Where to begin; by default as an agent that has not looked yet. */
  readonly start?: LadderState;
  /** Ends the loop between two evaluations. */
  readonly signal: AbortSignal;
}

/** From one look at what people ask for to the next: they wait for the answer. */
const ASKED_MS = 2_000;

/** Runs the ladder on this host until the signal aborts, or for a number of passes with their re-checks. */
export async function runAgent(ports: AgentPorts, options: AgentOptions): Promise<void> {
  const { clock, sampler } = ports;
  const { passLimit = Infinity, stayWhileHolding = false, closeLook, signal } = options;
  const isAudit = ports.isAsked === undefined;
  let state = options.start ?? INITIAL_STATE;
  let needs: Needs = "load";
  let dueMs = clock.monotonicMs();
  let passes = 0;
  while (!signal.aborted) {
    const observed = await ports.observe?.();
    const sample = { ...await sampler.take(closeLook ? "gate" : needs), ...observed };
    const rules = ports.rules();
    const result = step(state, sample, rules);
    await ports.remember?.(result.state);
    const outcomes = await ports.execute(result.decision);
    await ports.report({
      sample,
      decision: result.decision,
      outcomes,
      lateMs: Math.max(0, sample.monotonicMs - dueMs),
      before: state,
      rules,
    });
    state = result.state;
    needs = result.next.needs;
    dueMs = result.next.atMs;
    if (state.pending === undefined) passes += 1;
    if (
      passes >= passLimit && state.pending === undefined && !(stayWhileHolding && state.hold !== undefined)
    ) return;
    while (!isDue(state, clock.monotonicMs()) && !signal.aborted) {
      const leftMs = dueMs - clock.monotonicMs();
      await clock.sleep(isAudit ? leftMs : Math.min(leftMs, ASKED_MS), signal);
      if (ports.isAsked?.()) break;
      ports.waiting?.();
    }
  }
}
