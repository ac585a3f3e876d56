/**
 * The lock of the host for who gives the web back. Whoever holds it is asked to, waited for while it gives back by itself
 * or does what has an end, and ended when it hangs.
 */

import { STOP_TIMEOUT_S } from "../mod/ship/deadlines.ts";
import type { Clock } from "./clock.ts";
import type { HungAgentOutcome } from "./hung_agent.ts";
import { type InstanceLock, type LockHolder, takesRequests, waitForLock } from "./instance_lock.ts";

/** What came of it: nobody holds the lock but we, whoever holds it has answered, or neither can be had. */
export type LockOrAnswer<Answer> =
  | { readonly kind: "taken"; readonly lock: InstanceLock }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly why: string };

/** What it takes. */
export interface LockOrAnswerPorts<Answer> {
  readonly clock: Clock;
  /** Asks whoever holds the lock; undefined when that has not taken the request within `askedForMs`. */
  readonly ask: () => Promise<Answer | undefined>;
  readonly askedForMs: number;
  /** Ends whoever holds the lock, if that is this pid. */
  readonly end: (pid: number | undefined) => Promise<HungAgentOutcome>;
  readonly tell: (line: string) => void;
}

/** From one look at who holds the lock to the next. */
const LOOK_MS = 1_000;

/** An agent that runs takes a request within seconds; what else holds the lock ends within this. */
const PATIENCE_MS = STOP_TIMEOUT_S * 1000;

/** Takes the lock, or has its holder answer. One that does neither is ended, once. Never rejects. */
export async function takeLockOrAsk<Answer>(
  path: string,
  what: string,
  { clock, ask, askedForMs, end, tell }: LockOrAnswerPorts<Answer>,
): Promise<LockOrAnswer<Answer>> {
  const patientUntilMs = clock.monotonicMs() + PATIENCE_MS;
  const known = new Set<string>();
  let hasEnded = false;
  while (true) {
    const result = await waitForLock(path, what, { clock, deadlineMs: known.size === 0 ? 0 : LOOK_MS });
    if (result.kind === "taken") return result;
    if (result.kind === "failed") return { kind: "refused", why: result.error };
    const { heldBy } = result;
    if (!known.has(keyOf(heldBy))) {
      known.add(keyOf(heldBy));
      const answer = takesRequests(heldBy) ? await ask() : undefined;
      if (answer !== undefined) return { kind: "answered", answer };
      if (heldBy?.what !== "run") tell(`waiting for ${nameOf(heldBy)}, ${PATIENCE_MS / 1000} s at most`);
      continue;
    }
    const isRunning = heldBy?.what === "run";
    if (!isRunning && clock.monotonicMs() < patientUntilMs) continue;
    if (hasEnded) return { kind: "refused", why: `${nameOf(heldBy)} still holds the lock` };
    hasEnded = true;
    const outcome = await end(heldBy?.pid);
    const failing = isRunning
      ? `the agent did not answer within ${askedForMs / 1000} s`
      : `the agent did not end within ${PATIENCE_MS / 1000} s`;
    tell(
      outcome.kind === "ended"
        ? `${failing}; ended pid ${outcome.pid}`
        : `${failing}, and could not be ended: ${outcome.why}`,
    );
  }
}

function keyOf(holder: LockHolder | undefined): string {
  return JSON.stringify(holder) ?? "";
}

function nameOf(holder: LockHolder | undefined): string {
  return holder === undefined ? "who holds the lock" : `pid ${holder.pid}, \`loadweir ${holder.what}\``;
}
