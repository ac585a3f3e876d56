/** The loop: wait until a sample is due, take it, step, act, report. */

import type { Decision } from "../mod/ladder/decision.ts";
import { type Needs, step } from "../mod/ladder/ladder.ts";
import type { LadderRules } from "../mod/ladder/rules.ts";
import type { Sample } from "../mod/ladder/sample.ts";
import { INITIAL_STATE, isDue } from "../mod/ladder/state.ts";
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
}

/** What the loop works with. */
export interface AgentPorts {
  readonly clock: Clock;
  readonly sampler: Sampler;
  readonly execute: Executor;
  /** Told of each evaluation. */
  readonly report: (pass: Pass) => void | Promise<void>;
}

/** How the loop runs. */
export interface AgentOptions {
  /** End after so many passes, each with its re-check; undefined is without end. */
  readonly passLimit: number | undefined;
  /** Read on every pass what only a drastic tier needs: for a person who watches. */
  readonly closeLook: boolean;
  /** Ends the loop between two evaluations. */
  readonly signal: AbortSignal;
}

/** Runs the ladder on this host until the signal aborts, or for a number of passes with their re-checks. */
export async function runAgent(rules: LadderRules, ports: AgentPorts, options: AgentOptions): Promise<void> {
  const { clock, sampler } = ports;
  const { passLimit = Infinity, closeLook, signal } = options;
  let state = INITIAL_STATE;
  let needs: Needs = "load";
  let dueMs = clock.monotonicMs();
  let passes = 0;
  while (!signal.aborted) {
    const sample = await sampler.take(closeLook ? "gate" : needs);
    const result = step(state, sample, rules);
    const outcomes = await ports.execute(result.decision);
    await ports.report({
      sample,
      decision: result.decision,
      outcomes,
      lateMs: Math.max(0, sample.monotonicMs - dueMs),
    });
    state = result.state;
    needs = result.next.needs;
    dueMs = result.next.atMs;
    if (state.pending === undefined) passes += 1;
    if (passes >= passLimit) return;
    while (!isDue(state, clock.monotonicMs()) && !signal.aborted) {
      await clock.sleep(dueMs - clock.monotonicMs(), signal);
    }
  }
}
