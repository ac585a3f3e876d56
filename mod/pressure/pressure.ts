/**
 * The step of pressure: what was seen in one look goes into windows, and every five seconds these are evaluated.
 *
 * Pure: the same state and sample give the same result, on the host or in a test. Times are those of the monotonic clock;
 * the wall clock is for people.
 */

import { isFlapping, lastActionMs, NO_ACTIONS, type PastActions, withAction } from "./actions.ts";
import type { Aggregates } from "./aggregates.ts";
import { type AppFigures, appFiguresOf, type AppWindow, noteApp } from "./app_window.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";
import { maybeValue } from "../reading.ts";
import { type HostFigures, hostFiguresOf, type HostWindow, noteHost } from "./host_window.ts";
import { figuresOf, type InstanceFigures } from "./instance_figures.ts";
import { type InstanceWindow, noteInstance, withoutPoints } from "./instance_window.ts";
import { type PressureRules, rulesOfInstance } from "./rules.ts";
import { withoutLeakedGauges } from "./leaked_gauges.ts";
import type { PressureSample } from "./sample.ts";
import { tierOf } from "./tier.ts";

/** What is kept from one look to the next. */
export interface PressureState {
  readonly instances: readonly InstanceWindow[];
  readonly apps: readonly AppWindow[];
  readonly host: HostWindow | undefined;
  /** Times of the look before; undefined before the first one. */
  readonly lastMs: number | undefined;
  readonly lastUptimeMs: number | undefined;
  /** When the windows are evaluated next. */
  readonly evaluateAtMs: number | undefined;
  /** Evaluations in a row in which the web tier was saturated. */
  readonly confirmations: number;
  /** Since when all evaluations found the tier idle. */
  readonly idleSinceMs: number | undefined;
  /** The instances that ran at the last evaluation, by their names. */
  readonly running: readonly string[];
  /** Whether the web was held at the last look. */
  readonly wasHeld: boolean;
  readonly past: PastActions;
  /** When an instance could not be stopped last; undefined where all could. */
  readonly failedInMs: number | undefined;
}

/** One evaluation with all that it was made of. */
export interface PressureEvaluation extends Evaluation {
  readonly atMs: number;
  readonly wallMs: number;
  readonly input: Aggregates;
  readonly instances: readonly InstanceFigures[];
  readonly apps: readonly AppFigures[];
  readonly host: HostFigures;
  readonly thresholds: PressureRules["thresholds"];
}

/** What a step gives. */
export interface PressureStep {
  readonly state: PressureState;
  /** Undefined where it was not time for one. */
  readonly evaluation: PressureEvaluation | undefined;
}

/** Before the first look. */
export function initialPressure(past: PastActions = NO_ACTIONS): PressureState {
  return {
    instances: [],
    apps: [],
    host: undefined,
    lastMs: undefined,
    lastUptimeMs: undefined,
    evaluateAtMs: undefined,
    confirmations: 0,
    idleSinceMs: undefined,
    running: [],
    wasHeld: false,
    past,
    failedInMs: undefined,
  };
}

/** The clock of suspended time runs ahead by so much: nobody looked in between. */
const SUSPENDED_MS = 3_000;

/** One look. Never throws. */
export function pressureStep(
  before: PressureState,
  sample: PressureSample,
  rules: PressureRules,
): PressureStep {
  const { monotonicMs: atMs, uptimeMs: bootMs, outcome } = sample;
  const isBreak = wasSuspended(before, sample) || before.wasHeld && !sample.isHeld;
  const state = followOutcome(isBreak ? withoutWindows(before) : before, sample);
  const { windowMs, warmupMs } = rules;
  const isFirstLook = before.lastMs === undefined;
  const socketsCount = maybeValue(sample.host.socketsCount);
  const seen: PressureState = {
    ...state,
    instances: sample.instances.map((one) =>
      noteInstance(
        state.instances.find(({ name }) => name === one.name),
        withoutLeakedGauges(one, socketsCount),
        {
          atMs,
          bootMs,
          windowMs,
          warmupMs,
          isFirstLook,
        },
      )
    ),
    apps: sample.apps.map((one) =>
      noteApp(state.apps.find(({ name }) => name === one.name), one, { atMs, bootMs, windowMs })
    ),
    host: noteHost(state.host, sample.host, atMs, windowMs),
    lastMs: atMs,
    lastUptimeMs: sample.uptimeMs,
    wasHeld: sample.isHeld,
    evaluateAtMs: state.evaluateAtMs ?? atMs + rules.evaluateMs,
  };
  if (outcome !== undefined || atMs < (seen.evaluateAtMs ?? atMs)) {
    return { state: seen, evaluation: undefined };
  }
  return evaluated(seen, sample, rules);
}

function evaluated(state: PressureState, sample: PressureSample, rules: PressureRules): PressureStep {
  const { monotonicMs: atMs, wallMs } = sample;
  const instances = state.instances.map((window) =>
    figuresOf(window, atMs, rules, rulesOfInstance(rules, window.name))
  );
  const host = hostFiguresOf(state.host ?? noteHost(undefined, sample.host, atMs, rules.windowMs));
  const apps = state.apps.flatMap((window) => {
    const own = rules.apps.find(({ name }) => name === window.name);
    return own === undefined ? [] : [appFiguresOf(window, own, host.cpuCount)];
  });
  const figures = tierOf(instances, apps, host, rules, sample);
  const lastOutMs = lastActionMs(state.past, "ScaleOut");
  // One that could not be stopped is tried again as seldom as another one would be: each try drains it.
  const lastInMs = latestOf(lastActionMs(state.past, "ScaleIn"), state.failedInMs);
  const measured: Aggregates = {
    ...figures,
    confirmations: 0,
    belowScaleInS: 0,
    sinceScaleOutS: lastOutMs === undefined ? undefined : (atMs - lastOutMs) / 1_000,
    sinceScaleInS: lastInMs === undefined ? undefined : (atMs - lastInMs) / 1_000,
    failureBackoffLeftS: backoffLeftS(),
  };
  // The class does not depend on what is remembered, and what is remembered depends on the class.
  const found = evaluate(measured, rules.thresholds);
  const isSaturated = found.class === "WebTierSaturated";
  // Where one has gone or come, the others had another share of the load until then.
  const running = instances.filter(({ standing }) => standing !== "stopped").map(({ name }) => name);
  const earlier = isSame(running, state.running) ? state : withoutVerdicts(state);
  const confirmations = isSaturated ? earlier.confirmations + 1 : 0;
  const idleSinceMs = found.isIdle ? earlier.idleSinceMs ?? atMs : undefined;
  const input: Aggregates = {
    ...measured,
    confirmations,
    belowScaleInS: idleSinceMs === undefined ? 0 : (atMs - idleSinceMs) / 1_000,
    isFlapping: isFlapping(state.past, isSaturated ? "ScaleOut" : "ScaleIn", atMs),
  };
  const evaluation = evaluate(input, rules.thresholds);
  return {
    state: {
      ...state,
      evaluateAtMs: nextDueMs(state.evaluateAtMs ?? atMs, atMs, rules.evaluateMs),
      confirmations,
      idleSinceMs,
      running,
    },
    evaluation: { ...evaluation, atMs, wallMs, input, instances, apps, host, thresholds: rules.thresholds },
  };

  function backoffLeftS(): number | undefined {
    const { failedMs } = state.past;
    const leftMs = failedMs === undefined ? 0 : failedMs + rules.failureBackoffMs - atMs;
    return leftMs > 0 ? leftMs / 1_000 : undefined;
  }
}

/**
 * When something is due again that was due at a time: on the same grid, so that being late by some milliseconds does not
 * move what follows, and never twice for what was missed. Never throws.
 */
export function nextDueMs(dueMs: number, nowMs: number, everyMs: number): number {
  return dueMs + everyMs * (1 + Math.max(0, Math.floor((nowMs - dueMs) / everyMs)));
}

function latestOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? one ?? other : Math.max(one, other);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

function wasSuspended({ lastMs, lastUptimeMs }: PressureState, sample: PressureSample): boolean {
  if (lastMs === undefined || lastUptimeMs === undefined) return false;
  return sample.uptimeMs - lastUptimeMs - (sample.monotonicMs - lastMs) > SUSPENDED_MS;
}

/** What a scaling has come to. The windows before it say nothing of the tier after it. */
function followOutcome(state: PressureState, { outcome, monotonicMs: atMs }: PressureSample): PressureState {
  if (outcome === undefined) return state;
  const { past } = state;
  if (!outcome.isDone) {
    return outcome.action === "ScaleOut"
      ? { ...withoutVerdicts(state), past: { ...past, failedMs: atMs } }
      : { ...withoutVerdicts(state), failedInMs: atMs };
  }
  const { instances, ...rest } = withoutWindows(state);
  return {
    ...rest,
    // Of one that was stopped on purpose nothing is expected any more.
    instances: instances.filter(({ name }) => outcome.action === "ScaleOut" || name !== outcome.instance),
    past: withAction(past, { action: outcome.action, atMs }),
  };
}

/** What was seen is gone; what is known of an instance, such as when it first answered, is not. */
function withoutWindows(state: PressureState): PressureState {
  const instances = state.instances.map(withoutPoints);
  return { ...withoutVerdicts(state), instances, apps: [], host: undefined };
}

function withoutVerdicts(state: PressureState): PressureState {
  return { ...state, confirmations: 0, idleSinceMs: undefined };
}
