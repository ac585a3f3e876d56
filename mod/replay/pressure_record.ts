/**
 * Evaluations of pressure as lines of JSON: what one is made of, and what came out.
 *
 *     {"id":"G01","input":{"instances":2,"cpu":0.97,"lagP99Ms":3.1,…}}
 *     {"id":"G01","cpu":0.97,"lag":0.62,…,"class":"WebTierSaturated","action":"ScaleOut","to":3,"reason":"…"}
 *
 * Null is unknown, `"NaN"` the quantile of a histogram in which nothing is; an unknown component comes out as
 * `[low, high]`. A journal of pressure has the same input in each of its lines, beside what was decided then.
 */

import { ParseError, quote } from "../errors.ts";
import type { Aggregates, AppAggregate } from "../pressure/aggregates.ts";
import { evaluate, type Evaluation } from "../pressure/evaluate.ts";
import { rounded } from "../pressure/figure.ts";
import { type Interval, isKnown } from "../pressure/interval.ts";
import { DEFAULT_THRESHOLDS, type PressureThresholds } from "../pressure/rules.ts";

/** One line to evaluate. */
export interface PressureRecord {
  readonly id: string;
  readonly input: Aggregates;
  readonly thresholds: PressureThresholds;
  /** What was decided then, as `recordOfEvaluation` prints it; undefined where the line does not say. */
  readonly decided: string | undefined;
  /** Milliseconds since 1970; undefined where the line does not say. */
  readonly wallMs: number | undefined;
}

/** Decimals of figures that are printed. */
const DIGITS = 4;

const MODES: readonly Aggregates["mode"][] = ["observe", "active", "paused"];
const APPS = ["php", "node", "python"] as const;

/**
 * Reads a line.
 *
 * @param changed Thresholds that count instead of those of the line
 * @throws {ParseError} If it is no such object; the message names the member
 */
export function parsePressureRecord(
  text: string,
  source: string,
  line: number,
  changed: Partial<PressureThresholds> = {},
): PressureRecord {
  const fail = (problem: string): never => {
    throw new ParseError(source, problem, line);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail(`${quote(text)} is no JSON, expected {"id": …, "input": {…}}`);
  }
  const record = membersOf(value);
  const input = record && membersOf(record["input"]);
  const id = record?.["id"];
  if (record === undefined || input === undefined || typeof id !== "string") {
    return fail(`${quote(text)}, expected {"id": "…", "input": {…}}`);
  }
  const thresholds = { ...DEFAULT_THRESHOLDS, ...thresholdsOf(input["config"], fail), ...changed };
  const { decided, wall } = record;
  return {
    id,
    input: aggregatesOf(input, fail),
    thresholds,
    decided: decided === undefined ? undefined : JSON.stringify(decided),
    wallMs: typeof wall === "number" ? wall : undefined,
  };
}

/** Evaluates a line and gives the one that is printed. Never throws. */
export function evaluateRecord({ id, input, thresholds }: PressureRecord): Record<string, unknown> {
  return { id, ...recordOfEvaluation(evaluate(input, thresholds)) };
}

/** An evaluation as it is printed. Never throws. */
export function recordOfEvaluation(evaluation: Evaluation): Record<string, unknown> {
  const { cpu, lag, inflight, latency, cpuLag, score, dominant, also, action, to, projected, because } =
    evaluation;
  return {
    cpu: figureOf(cpu),
    lag: figureOf(lag),
    inflight: figureOf(inflight),
    latency: figureOf(latency),
    cpuLag: figureOf(cpuLag),
    score: figureOf(score),
    dominant: dominant ?? null,
    class: evaluation.class,
    also,
    action,
    to,
    projected: projected === undefined ? null : rounded(projected, DIGITS),
    reason: because.text,
    reasonCode: because.code,
  };
}

/** The input of an evaluation as a line has it, with what is not the default of its thresholds. Never throws. */
export function recordOfAggregates(
  input: Aggregates,
  thresholds: PressureThresholds,
): Record<string, unknown> {
  const changed = Object.entries(thresholds)
    .filter(([key, value]) => value !== DEFAULT_THRESHOLDS[key as keyof PressureThresholds]);
  return {
    ...nulled(input),
    apps: Object.fromEntries(
      Object.entries(input.apps).map((
        [app, { cpu, queueRising }],
      ) => [app, {
        cpu: cpu ?? null,
        queueRising: queueRising ?? null,
      }]),
    ),
    config: Object.fromEntries(changed),
  };
}

function figureOf(interval: Interval): number | readonly [number, number] {
  const low = rounded(interval.low, DIGITS);
  return isKnown(interval) ? low : [low, rounded(interval.high, DIGITS)];
}

/**
 * Undefined members that are part of the format as null, those that may be absent left out; numbers that JSON does not have
 * as texts.
 */
function nulled(input: Aggregates): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => {
      if (value === undefined) return OPTIONAL.has(key) ? [] : [[key, null]];
      return [[key, typeof value === "number" && !Number.isFinite(value) ? `${value}` : value]];
    }),
  );
}

const OPTIONAL: ReadonlySet<string> = new Set([
  "hostIdleCpus",
  "connectionsAfterScaleIn",
  "failureBackoffLeftS",
  "isFlapping",
  "drains",
  "isLatencyTruncated",
]);

type Fail = (problem: string) => never;

function aggregatesOf(input: Readonly<Record<string, unknown>>, fail: Fail): Aggregates {
  const number = (key: string): number =>
    maybeNumber(key) ?? fail(`input.${key} is missing, expected a number`);
  const maybeNumber = (key: string): number | undefined => numberOf(input[key], `input.${key}`, fail);
  const flag = (key: string): boolean | undefined => {
    const value = input[key];
    if (value === undefined || typeof value === "boolean") return value;
    return fail(`input.${key} is ${shown(value)}, expected true or false`);
  };
  const mode = MODES.find((word) => word === input["mode"]) ??
    fail(`input.mode is ${shown(input["mode"])}, expected observe, active or paused`);
  return {
    instances: number("instances"),
    minInstances: number("minInstances"),
    maxInstances: number("maxInstances"),
    starting: number("starting"),
    mode,
    validSamples: number("validSamples"),
    neededSamples: number("neededSamples"),
    cpu: maybeNumber("cpu"),
    lagP99Ms: maybeNumber("lagP99Ms"),
    inflight: maybeNumber("inflight"),
    loops: number("loops"),
    latencyP99Ms: maybeNumber("latencyP99Ms"),
    latencyTargetMs: maybeNumber("latencyTargetMs"),
    connectionsRatio: number("connectionsRatio"),
    hottestScore: number("hottestScore"),
    apps: appsOf(input["apps"], fail),
    memAvailableMiB: maybeNumber("memAvailableMiB"),
    minFreeMiB: number("minFreeMiB"),
    rssMiB: maybeNumber("rssMiB"),
    rssBudgetMiB: maybeNumber("rssBudgetMiB"),
    confirmations: number("confirmations"),
    belowScaleInS: number("belowScaleInS"),
    sinceScaleOutS: maybeNumber("sinceScaleOutS"),
    sinceScaleInS: maybeNumber("sinceScaleInS"),
    totalCpus: number("totalCpus"),
    victimCpus: number("victimCpus"),
    cpusPerInstance: number("cpusPerInstance"),
    cpuBudget: number("cpuBudget"),
    hostIdleCpus: maybeNumber("hostIdleCpus"),
    connectionsAfterScaleIn: maybeNumber("connectionsAfterScaleIn"),
    failureBackoffLeftS: maybeNumber("failureBackoffLeftS"),
    isFlapping: flag("isFlapping") ?? false,
    drains: flag("drains") ?? true,
    isLatencyTruncated: flag("isLatencyTruncated") ?? false,
  };
}

function appsOf(value: unknown, fail: Fail): Aggregates["apps"] {
  const apps = membersOf(value ?? {}) ?? fail(`input.apps is ${shown(value)}, expected an object`);
  return Object.fromEntries(
    Object.entries(apps).map(([name, app]): [string, AppAggregate] => {
      if (!APPS.some((known) => known === name)) {
        fail(`input.apps has ${quote(name)}, expected php, node or python`);
      }
      const { cpu, queueRising } = membersOf(app) ?? {};
      if (typeof queueRising !== "boolean" && queueRising !== null) {
        return fail(`input.apps.${name}.queueRising is ${shown(queueRising)}, expected true, false or null`);
      }
      return [name, {
        cpu: numberOf(cpu, `input.apps.${name}.cpu`, fail),
        queueRising: queueRising ?? undefined,
      }];
    }),
  );
}

function thresholdsOf(value: unknown, fail: Fail): Partial<PressureThresholds> {
  const config = membersOf(value ?? {}) ?? fail(`input.config is ${shown(value)}, expected an object`);
  for (const [key, set] of Object.entries(config)) {
    const known = DEFAULT_THRESHOLDS[key as keyof PressureThresholds];
    if (known === undefined) {
      fail(`input.config has ${quote(key)}, expected ${Object.keys(DEFAULT_THRESHOLDS).join(", ")}`);
    }
    if (typeof set !== typeof known) fail(`input.config.${key} is ${shown(set)}, expected a ${typeof known}`);
  }
  return config;
}

function numberOf(value: unknown, name: string, fail: Fail): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return value;
  const special = typeof value === "string" ? SPECIAL.get(value) : undefined;
  return special ?? fail(`${name} is ${shown(value)}, expected a number, null or "NaN"`);
}

const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : quote(JSON.stringify(value));
}
