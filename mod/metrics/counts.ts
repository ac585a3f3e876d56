/** What only grows while an agent runs: counted on each evaluation and each event. */

import { type EventName, EVENTS, type IncidentEvent } from "../incident/event.ts";
import { ACTION_NAMES, type ActionName, type Decision, type Reason, REASONS } from "../ladder/decision.ts";
import type { Sample } from "../ladder/sample.ts";
import type { Reading } from "../reading.ts";

/** What the ladder looks at. */
export const SENSORS = ["load", "backups", "iowait", "runnable", "psi-cpu", "psi-io"] as const;

/** One of {@linkcode SENSORS}. */
export type Sensor = typeof SENSORS[number];

/** What a look at a sensor gave. */
export const SENSOR_STATES = ["ok", "absent", "failed", "frozen"] as const;

/** One of {@linkcode SENSOR_STATES}. */
export type SensorState = typeof SENSOR_STATES[number];

/** Actions that can fail: the others need nothing done. */
export const FALLIBLE_ACTIONS = [
  "crawler-block-on",
  "crawler-block-off",
  "kill-runaways",
  "pause-web",
  "resume-web",
] as const satisfies readonly ActionName[];

type FallibleAction = typeof FALLIBLE_ACTIONS[number];

/** One evaluation, as far as it is told of. */
export interface CountedPass {
  readonly sample: Sample;
  readonly decision: Decision;
  /** How much later than due, in milliseconds. */
  readonly lateMs: number;
}

/** Counts since the agent began, and the last evaluation. */
export interface AgentCounts {
  readonly passes: number;
  readonly lateMs: number;
  readonly heldMs: number;
  readonly decisions: Readonly<Record<Reason, number>>;
  readonly actions: Readonly<Record<ActionName, number>>;
  readonly actionFailures: Readonly<Record<FallibleAction, number>>;
  readonly events: Readonly<Record<EventName, number>>;
  readonly sensorFailures: Readonly<Record<Sensor, number>>;
  /** What the last look at each gave, of those that were looked at. */
  readonly sensors: Readonly<Partial<Record<Sensor, SensorState>>>;
  /** Whether the web was held at the last evaluation. */
  readonly isHeld: boolean;
  /** Undefined before the first one. */
  readonly latest: CountedPass | undefined;
}

/** Before the first evaluation: everything that can be counted is there, so that its first time is an increase. */
export const NO_COUNTS: AgentCounts = {
  passes: 0,
  lateMs: 0,
  heldMs: 0,
  decisions: zeros(Object.keys(REASONS) as Reason[]),
  actions: zeros(ACTION_NAMES),
  actionFailures: zeros(FALLIBLE_ACTIONS),
  events: zeros(Object.keys(EVENTS) as EventName[]),
  sensorFailures: zeros(SENSORS),
  sensors: {},
  isHeld: false,
  latest: undefined,
};

/**
 * The counts with one more evaluation. Never throws.
 *
 * @param isHeld Whether the web is held now: the time up to the next evaluation counts as held
 */
export function countPass(counts: AgentCounts, pass: CountedPass, isHeld: boolean): AgentCounts {
  const { sample, decision, lateMs } = pass;
  const { latest } = counts;
  const sinceMs = latest === undefined ? 0 : sample.monotonicMs - latest.sample.monotonicMs;
  const seen = sensorsOf(sample, decision);
  const hasFailed = (sensor: Sensor): boolean => seen[sensor] === "failed" || seen[sensor] === "frozen";
  return {
    ...counts,
    passes: counts.passes + 1,
    lateMs: counts.lateMs + lateMs,
    heldMs: counts.heldMs + (counts.isHeld ? sinceMs : 0),
    decisions: withMore(counts.decisions, [decision.reason]),
    actions: withMore(counts.actions, decision.actions),
    sensorFailures: withMore(counts.sensorFailures, SENSORS.filter(hasFailed)),
    sensors: { ...counts.sensors, ...seen },
    isHeld,
    latest: pass,
  };
}

/** The counts with one more event. Never throws. */
export function countEvent(counts: AgentCounts, event: IncidentEvent): AgentCounts {
  const failed = maybeFailedAction(event);
  return {
    ...counts,
    events: withMore(counts.events, [event.name]),
    actionFailures: failed === undefined ? counts.actionFailures : withMore(counts.actionFailures, [failed]),
  };
}

/** The action that did not succeed. Crawlers are served again at NORMAL and turned away above it. */
function maybeFailedAction({ name, tier }: IncidentEvent): FallibleAction | undefined {
  switch (name) {
    case "crawler-block-failed":
      return tier === "normal" ? "crawler-block-off" : "crawler-block-on";
    case "kill-failed":
      return "kill-runaways";
    case "pause-failed":
      return "pause-web";
    case "resume-failing":
      return "resume-web";
    default:
      return undefined;
  }
}

/** What each sensor gave that was looked at. */
function sensorsOf(
  { load, gate }: Sample,
  { reason }: Decision,
): Readonly<Partial<Record<Sensor, SensorState>>> {
  const ofLoad = { load: reason === "load-frozen" ? "frozen" as const : load.kind };
  if (gate === undefined) return ofLoad;
  const { backups, iowaitPercent, runnableTasks, psiCpuPercent, psiIoPercent } = gate;
  return {
    ...ofLoad,
    "backups": kindOf(backups),
    "iowait": kindOf(iowaitPercent),
    "runnable": kindOf(runnableTasks),
    "psi-cpu": kindOf(psiCpuPercent),
    "psi-io": kindOf(psiIoPercent),
  };
}

function kindOf({ kind }: Reading<unknown>): SensorState {
  return kind;
}

function zeros<K extends string>(keys: readonly K[]): Readonly<Record<K, number>> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}

function withMore<K extends string>(
  counts: Readonly<Record<K, number>>,
  keys: readonly K[],
): Readonly<Record<K, number>> {
  if (keys.length === 0) return counts;
  const more: Record<K, number> = { ...counts };
  for (const key of keys) more[key] += 1;
  return more;
}
