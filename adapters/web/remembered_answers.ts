/**
 * Answers that were had before, for a host that has become too slow to give them: a pause must know whether what it stops
 * would start again, and what goes down with it.
 */

import type { Clock } from "../clock.ts";
import type { CommandResult, RunCommand } from "../command.ts";

/** An answer older than this says nothing of now: a re-check takes nine seconds, and a test on a busy host as many. */
export const ANSWER_AGE_MS = 60_000;

/** What asks ahead of time waits this many times as long. */
const PATIENCE = 4;

/** Asks programs that change nothing: tests of configurations, and how units stand. */
export interface RememberedAnswers {
  /** As it is run now; where that gives no answer in time, the answer of a while ago to the same question. */
  readonly run: RunCommand;
  /** As it is run now, with more time, for those who ask later. */
  readonly runPatiently: RunCommand;
}

/** Begins without answers. */
export function rememberAnswers(run: RunCommand, clock: Pick<Clock, "monotonicMs">): RememberedAnswers {
  const answers = new Map<string, { readonly result: CommandResult; readonly atMs: number }>();

  async function ask(...[program, args, options]: Parameters<RunCommand>): Promise<CommandResult> {
    const result = await run(program, args, options);
    if (!result.timedOut) answers.set(keyOf(program, args), { result, atMs: clock.monotonicMs() });
    return result;
  }

  return {
    async run(program, args, options): Promise<CommandResult> {
      const result = await ask(program, args, options);
      if (!result.timedOut) return result;
      const before = answers.get(keyOf(program, args));
      return before !== undefined && clock.monotonicMs() - before.atMs < ANSWER_AGE_MS
        ? before.result
        : result;
    },
    runPatiently: (program, args, options) =>
      ask(program, args, { ...options, deadlineMs: PATIENCE * options.deadlineMs }),
  };
}

function keyOf(program: string, args: readonly string[]): string {
  return [program, ...args].join("\0");
}
