/**
 * What the running agent knows, for `status`: written on each pass, read by whoever asks.
 *
 * The reader may be older or newer than the writer, so it takes what it knows and lets the rest be: only a
 * text that is no state at all is refused. Times that ages come from are milliseconds since boot.
 */

import { ParseError, quote } from "../errors.ts";
import { HOLD_REASONS, type HoldPhase, type HoldReason } from "../hold/ledger.ts";
import { type Marker, MARKERS } from "../ladder/state.ts";
import { type Tier, TIERS } from "../ladder/tier.ts";
import type { ProbeVerdict } from "../probe/verdict.ts";

/** The web is held. What is undefined was written by another version, in words unknown to this one. */
export interface StateHold {
  readonly reason: HoldReason | undefined;
  /** Why, for people. */
  readonly text: string;
  readonly sinceBootMs: number | undefined;
  readonly phase: HoldPhase | undefined;
  /** Names of what was stopped and comes back. */
  readonly services: readonly string[];
  /** When it ends by itself at the latest; undefined is at no set time. */
  readonly endsBootMs: number | undefined;
}

/** Something that was done or went wrong. */
export interface StateEvent {
  readonly wallMs: number;
  /** One line for people. */
  readonly text: string;
}

/** One check of the probe that is not well. */
export interface StateCheck {
  readonly id: string;
  /** What was seen last, for people. */
  readonly evidence: string;
}

/** What the probe said last. What is undefined was written by another version, in words unknown to this one. */
export interface StateProbe {
  readonly phase: ProbeVerdict["phase"] | undefined;
  /** Code of the reason. */
  readonly reason: string;
  /** Why, for people, one line; may be empty. */
  readonly text: string;
  readonly sinceBootMs: number | undefined;
  readonly lookedBootMs: number | undefined;
  /** Checks that have failed or cannot be seen. */
  readonly checks: readonly StateCheck[];
}

/** Thresholds in percent of the CPUs. */
export interface StateThresholds {
  readonly spiderPercent: number;
  readonly maxPercent: number;
  readonly critPercent: number;
  /** The web comes back once both loads are below this one. */
  readonly resumePercent: number;
}

/** The state of the agent after one pass. */
export interface AgentState {
  readonly pid: number;
  /** The boot that the times since boot belong to. */
  readonly bootId: string;
  readonly writtenBootMs: number;
  readonly writtenWallMs: number;
  /** When the agent started. */
  readonly startedWallMs: number;
  /** When it ended of its own accord; undefined while it runs, and where it was killed. */
  readonly endedWallMs: number | undefined;
  /** Time from one pass to the next; a state much older than that is of an agent that hangs. */
  readonly intervalMs: number;
  /** Undefined where a state of another version has a tier that this one does not know. */
  readonly tier: Tier | "unknown" | undefined;
  /** Undefined where the load could not be read. */
  readonly load1Percent: number | undefined;
  readonly load5Percent: number | undefined;
  readonly cpuCount: number | undefined;
  readonly thresholds: StateThresholds | undefined;
  /** The markers that are set: with `max_load` or `critical_load` the pause latch is closed. */
  readonly markers: readonly Marker[];
  readonly crawlerBlock: boolean | undefined;
  /** Undefined when nothing is held. */
  readonly hold: StateHold | undefined;
  /** The load at which a hold was given up as no help, in percent; undefined outside such a phase. */
  readonly futileAtPercent: number | undefined;
  /** Undefined where nothing is probed. */
  readonly probe: StateProbe | undefined;
  /** The last few, oldest first. */
  readonly lastActions: readonly StateEvent[];
  /** The last few, oldest first. */
  readonly lastErrors: readonly StateEvent[];
}

/** When and in which boot a state is read. */
export interface StateMoment {
  readonly bootMs: number;
  readonly bootId: string;
}

const PHASES: readonly ProbeVerdict["phase"][] = ["starting", "in", "drained"];
const HOLD_PHASES: readonly HoldPhase[] = ["stopping", "held", "starting"];

/** The state as text: one line of JSON, without what is undefined. Never throws. */
export function renderState(state: AgentState): string {
  return `${JSON.stringify({ version: 1, ...state })}\n`;
}

/**
 * Reads a state. Members that are missing, unknown or not of their kind are left out.
 *
 * @param source Where it is from, for the error
 * @throws {ParseError} If it is no JSON object, or does not say who wrote it when
 */
export function parseState(text: string, source: string): AgentState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ParseError(source, `${quote(text)} is no JSON, expected the state of an agent`);
  }
  const state = membersOf(value);
  const pid = maybeNumber(state["pid"]);
  const writtenBootMs = maybeNumber(state["writtenBootMs"]);
  if (pid === undefined || writtenBootMs === undefined) {
    throw new ParseError(
      source,
      `${quote(text)} has no pid and writtenBootMs, expected the state of an agent`,
    );
  }
  const markers = Array.isArray(state["markers"]) ? state["markers"] : [];
  return {
    pid,
    bootId: maybeText(state["bootId"]) ?? "",
    writtenBootMs,
    writtenWallMs: maybeNumber(state["writtenWallMs"]) ?? 0,
    startedWallMs: maybeNumber(state["startedWallMs"]) ?? 0,
    endedWallMs: maybeNumber(state["endedWallMs"]),
    intervalMs: maybeNumber(state["intervalMs"]) ?? 0,
    tier: maybeWord(state["tier"], [...TIERS, "unknown"] as const),
    load1Percent: maybeNumber(state["load1Percent"]),
    load5Percent: maybeNumber(state["load5Percent"]),
    cpuCount: maybeNumber(state["cpuCount"]),
    thresholds: maybeThresholds(state["thresholds"]),
    markers: MARKERS.filter((marker) => markers.includes(marker)),
    crawlerBlock: typeof state["crawlerBlock"] === "boolean" ? state["crawlerBlock"] : undefined,
    hold: maybeHold(state["hold"]),
    futileAtPercent: maybeNumber(state["futileAtPercent"]),
    probe: maybeProbe(state["probe"]),
    lastActions: eventsOf(state["lastActions"]),
    lastErrors: eventsOf(state["lastErrors"]),
  };
}

/**
 * How old a state is, in milliseconds.
 *
 * @returns Undefined when it is from another boot, and says nothing of now
 */
export function ageOfState(state: AgentState, now: StateMoment): number | undefined {
  return state.bootId === now.bootId ? Math.max(0, now.bootMs - state.writtenBootMs) : undefined;
}

/** A hold whose reason or phase is of another version is still a hold: it must not look like none. */
function maybeHold(value: unknown): StateHold | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const hold = membersOf(value);
  const services = Array.isArray(hold["services"]) ? hold["services"] : [];
  return {
    reason: maybeWord(hold["reason"], HOLD_REASONS),
    text: maybeText(hold["text"]) ?? "",
    sinceBootMs: maybeNumber(hold["sinceBootMs"]),
    phase: maybeWord(hold["phase"], HOLD_PHASES),
    services: services.filter((name) => typeof name === "string"),
    endsBootMs: maybeNumber(hold["endsBootMs"]),
  };
}

function maybeProbe(value: unknown): StateProbe | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const probe = membersOf(value);
  const checks = Array.isArray(probe["checks"]) ? probe["checks"] : [];
  return {
    phase: maybeWord(probe["phase"], PHASES),
    reason: maybeText(probe["reason"]) ?? "",
    text: maybeText(probe["text"]) ?? "",
    sinceBootMs: maybeNumber(probe["sinceBootMs"]),
    lookedBootMs: maybeNumber(probe["lookedBootMs"]),
    checks: checks.map(membersOf).flatMap((check) => {
      const id = maybeText(check["id"]);
      return id === undefined ? [] : [{ id, evidence: maybeText(check["evidence"]) ?? "" }];
    }),
  };
}

/** Thresholds are shown as one ladder, so that one alone says nothing. */
function maybeThresholds(value: unknown): StateThresholds | undefined {
  const thresholds = membersOf(value);
  const spiderPercent = maybeNumber(thresholds["spiderPercent"]);
  const maxPercent = maybeNumber(thresholds["maxPercent"]);
  const critPercent = maybeNumber(thresholds["critPercent"]);
  const resumePercent = maybeNumber(thresholds["resumePercent"]);
  return spiderPercent === undefined || maxPercent === undefined || critPercent === undefined ||
      resumePercent === undefined
    ? undefined
    : { spiderPercent, maxPercent, critPercent, resumePercent };
}

function eventsOf(value: unknown): readonly StateEvent[] {
  if (!Array.isArray(value)) return [];
  return value.map(membersOf).flatMap((event) => {
    const wallMs = maybeNumber(event["wallMs"]);
    const text = maybeText(event["text"]);
    return wallMs === undefined || text === undefined ? [] : [{ wallMs, text }];
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function maybeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function maybeText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function maybeWord<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}
