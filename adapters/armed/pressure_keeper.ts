/**
 * Keeps an eye on pressure: a sample each second, an evaluation every five, and what that asks for handed to whoever
 * scales. A loop beside that of the ladder, which nothing here holds up.
 */

import type { PastActions } from "../../mod/pressure/actions.ts";
import { LOOK_MS } from "../../mod/config/pressure_config.ts";
import {
  initialPressure,
  nextDueMs,
  type PressureEvaluation,
  type PressureState,
  pressureStep,
} from "../../mod/pressure/pressure.ts";
import type { PressureRules } from "../../mod/pressure/rules.ts";
import type { PressureSample, ScaleOutcome } from "../../mod/pressure/sample.ts";
import type { Clock } from "../clock.ts";

/** What is seen in one look. */
export type PressureLook = Omit<PressureSample, "isScaling" | "outcome" | "isHeld">;

/** Starts and stops instances in the background. Nothing of it rejects. */
export interface PressureScaler {
  /** Begins; while one is under way another one is not begun. */
  readonly scale: (action: ScaleOutcome["action"]) => void;
  readonly isScaling: () => boolean;
  /** What the last one has come to, once. */
  readonly takeOutcome: () => ScaleOutcome | undefined;
}

/** What a keeper works with. */
export interface PressureKeeperPorts {
  readonly clock: Clock;
  /** The rules of now; undefined while nothing is watched. */
  readonly rules: () => PressureRules | undefined;
  /** Takes a look. Never rejects. */
  readonly look: () => Promise<PressureLook>;
  readonly scaler: PressureScaler;
  /** Whether the web is held, or this host is out at its balancer. */
  readonly isHeld: () => boolean;
  /** What was done before this agent. */
  readonly past: PastActions;
  /** Keeps what was done, for the next agent. */
  readonly remember: (past: PastActions) => void;
  /** Told of each evaluation. */
  readonly report: (evaluation: PressureEvaluation) => void;
  /** Told what a scaling has come to. */
  readonly tellOutcome: (outcome: ScaleOutcome) => void;
}

/** Watches until the signal aborts. Rejects only with what nobody foresaw. */
export async function keepPressure(ports: PressureKeeperPorts, signal: AbortSignal): Promise<void> {
  const { clock, rules, look, scaler, isHeld, remember, report, tellOutcome } = ports;
  let state: PressureState = initialPressure(ports.past);
  let dueMs = clock.monotonicMs();
  while (!signal.aborted) {
    const current = rules();
    if (current === undefined) state = initialPressure(state.past);
    else await take(current);
    // On a grid of seconds; those that were missed are missed.
    dueMs = nextDueMs(dueMs, clock.monotonicMs(), LOOK_MS);
    await clock.sleep(dueMs - clock.monotonicMs(), signal);
  }

  async function take(current: PressureRules): Promise<void> {
    const seen = await look();
    if (signal.aborted) return;
    const outcome = scaler.takeOutcome();
    const sample = { ...seen, isScaling: scaler.isScaling(), outcome, isHeld: isHeld() };
    const { state: next, evaluation } = pressureStep(state, sample, current);
    if (outcome !== undefined) {
      tellOutcome(outcome);
      if (next.past !== state.past) remember(next.past);
    }
    state = next;
    if (evaluation === undefined) return;
    // Told before it is begun: an agent that dies of it leaves why.
    report(evaluation);
    if (evaluation.action !== "None") scaler.scale(evaluation.action);
  }
}
