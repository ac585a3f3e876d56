/** The status page as it is now, from what the agent knows already. */

import { loadFigure } from "../config/thresholds.ts";
import type { Decision } from "../ladder/decision.ts";
import type { LadderRules } from "../ladder/rules.ts";
import { diagnose } from "../pressure/diagnosis.ts";
import { rounded } from "../pressure/figure.ts";
import { type Interval, isKnown } from "../pressure/interval.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import { isSite } from "../probe/check.ts";
import { PROBE_REASONS, type ProbeVerdict } from "../probe/verdict.ts";
import { holdHeadline, maybeWaitText } from "../report/hold.ts";
import { LATE_MS } from "../report/late_pass.ts";
import { postureText } from "../report/panel.ts";
import { actionText, appTable, classText, hostText, instanceTable } from "../report/pressure_table.ts";
import type { AgentState, StateEvent } from "../report/state.ts";
import { timestamp } from "../report/timestamp.ts";
import { type CheckTimes, standingOf } from "./check_standing.ts";
import { HISTORY_MS, type LoadSpan } from "./load_history.ts";
import { outlookOf, TIER_EFFECTS } from "./outlook.ts";
import type {
  PageComponent,
  PageEvent,
  PageHold,
  PageModel,
  PagePressure,
  PageProbe,
  PageThreshold,
} from "./page_model.ts";
import type { RecentEvaluation } from "./recent.ts";

/** What a page is made of: what the agent knows already. */
export interface PageInput {
  readonly version: string;
  readonly host: string;
  /** Where the figures come from, in words. */
  readonly source: string;
  readonly nowBootMs: number;
  readonly nowWallMs: number;
  readonly rules: LadderRules;
  /** The last pass and what is held now; `writtenBootMs` is when the pass was. Undefined before the first one. */
  readonly state: AgentState | undefined;
  readonly decision: Decision | undefined;
  readonly spans: readonly LoadSpan[];
  /** Undefined before the first look. */
  readonly verdict: ProbeVerdict | undefined;
  readonly checkTimes: CheckTimes;
  /** Undefined where nothing is watched, or before the first evaluation. */
  readonly pressure: PressureEvaluation | undefined;
  readonly isPressureWatched: boolean;
  readonly recent: readonly RecentEvaluation[];
}

/** The page as it is now. Never throws. */
export function pageModel(input: PageInput): PageModel {
  const { state, decision, rules, spans, nowBootMs, nowWallMs } = input;
  return {
    format: 1,
    version: input.version,
    host: input.host,
    pid: state?.pid ?? null,
    started: state === undefined ? null : timestamp(state.startedWallMs),
    now: timestamp(nowWallMs),
    pass: passOf(input),
    tier: decision?.tier ?? "unknown",
    posture: decision === undefined ? "no pass yet" : postureText(decision),
    outlook: decision === undefined ? [] : outlookOf(decision, rules),
    cpuCount: decision?.cpuCount ?? null,
    load1Percent: decision?.load1Percent ?? null,
    load5Percent: decision?.load5Percent ?? null,
    hold: holdOf(input),
    crawlersBlocked: state?.crawlerBlock ?? false,
    markers: state?.markers ?? [],
    futileAtPercent: state?.futileAtPercent ?? null,
    history: {
      lengthMs: HISTORY_MS,
      gapMs: 2 * Math.max(rules.intervalMs, rules.recheckMs, 10_000) + LATE_MS,
      loads: spans.map(({ startMs, load1Percent, load5Percent, isHeld }) => ({
        agoMs: Math.max(0, nowBootMs - startMs),
        load1Percent: load1Percent ?? null,
        load5Percent: load5Percent ?? null,
        isHeld,
      })),
    },
    probe: probeOf(input),
    isPressureWatched: input.isPressureWatched,
    pressure: pressureOf(input),
    recent: input.recent.map(({ firstWallMs, lastWallMs, count, explain }) => {
      const { wallMs: _, ...rest } = explain();
      return { ...rest, ts: timestamp(lastWallMs), since: timestamp(firstWallMs), count };
    }),
    actions: eventsOf(state?.lastActions),
    errors: eventsOf(state?.lastErrors),
    thresholds: thresholdsOf(rules, decision?.cpuCount),
    mode: {
      intervalMs: rules.intervalMs,
      recheckMs: rules.recheckMs,
      maxHoldMs: rules.maxHoldMs,
      onMaxHold: rules.onMaxHold,
      witness: rules.witness,
      drasticAllowed: rules.drasticAllowed,
      source: input.source,
    },
  };
}

function passOf({ state, decision, rules, nowBootMs }: PageInput): PageModel["pass"] {
  if (state === undefined) return null;
  const agoMs = Math.max(0, nowBootMs - state.writtenBootMs);
  const dueMs = decision?.actions.includes("recheck") ? rules.recheckMs : rules.intervalMs;
  return { ts: timestamp(state.writtenWallMs), agoMs, isLate: agoMs > dueMs + LATE_MS };
}

function holdOf({ state, nowBootMs, nowWallMs }: PageInput): PageHold | null {
  const hold = state?.hold;
  if (state === undefined || hold === undefined) return null;
  const wallOf = (bootMs: number | undefined): string | null =>
    bootMs === undefined ? null : timestamp(nowWallMs - nowBootMs + bootMs);
  return {
    headline: holdHeadline(hold, nowBootMs),
    reason: hold.reason ?? null,
    text: hold.text,
    since: wallOf(hold.sinceBootMs),
    services: hold.services,
    waitsFor: maybeWaitText(state) ?? null,
    ends: wallOf(hold.endsBootMs),
    endsInMs: hold.endsBootMs === undefined ? null : Math.max(0, hold.endsBootMs - nowBootMs),
  };
}

function probeOf({ verdict, checkTimes, nowBootMs, nowWallMs }: PageInput): PageProbe | null {
  if (verdict === undefined) return null;
  return {
    phase: verdict.phase,
    reason: verdict.reason,
    reasonText: PROBE_REASONS[verdict.reason],
    text: verdict.text,
    since: timestamp(nowWallMs - nowBootMs + verdict.sinceMs),
    sinceMs: nowBootMs - verdict.sinceMs,
    lookedAgoMs: nowBootMs - verdict.monotonicMs,
    checks: verdict.checks.map((report) => {
      const since = checkTimes.get(report.id);
      return {
        name: report.id,
        isSite: isSite(report.id),
        standing: standingOf(report),
        evidence: report.result.evidence,
        action: report.action,
        since: since === undefined ? null : timestamp(nowWallMs - nowBootMs + since.sinceMs),
        sinceMs: since === undefined ? null : nowBootMs - since.sinceMs,
      };
    }),
  };
}

function pressureOf({ pressure, nowBootMs }: PageInput): PagePressure | null {
  if (pressure === undefined) return null;
  const { input, thresholds, score, cpu, lag, cpuLag, inflight, latency, because } = pressure;
  const { found, advice } = diagnose(pressure);
  return {
    class: classText(pressure),
    found,
    advice: advice ?? null,
    action: actionText(pressure),
    because: because.text,
    mode: input.mode,
    score: componentOf("score", score),
    components: [
      componentOf("cpu", cpu),
      componentOf("lag", lag),
      componentOf("cpu_lag", cpuLag),
      componentOf("inflight", inflight),
      componentOf("latency", latency),
    ],
    scaleOutAbove: thresholds.scaleOutAbove,
    scaleInBelow: thresholds.scaleInBelow,
    tier: `${input.instances} instances of ${input.minInstances} to ${input.maxInstances}`,
    host: hostText(pressure),
    instances: instanceTable(pressure.instances),
    apps: appTable(pressure.apps),
    evaluated: timestamp(pressure.wallMs),
    agoMs: Math.max(0, nowBootMs - pressure.atMs),
  };
}

function componentOf(name: string, interval: Interval): PageComponent {
  return { name, low: rounded(interval.low, 4), high: rounded(interval.high, 4), isKnown: isKnown(interval) };
}

function thresholdsOf(rules: LadderRules, cpuCount: number | undefined): readonly PageThreshold[] {
  const load = (percent: number): number | null =>
    cpuCount === undefined ? null : loadFigure(percent, cpuCount);
  const of = (name: PageThreshold["name"], percent: number, effect: string): PageThreshold => ({
    name,
    percent,
    load: load(percent),
    effect,
  });
  return [
    of("SPIDER", rules.spiderPercent, TIER_EFFECTS.spider),
    of("MAX", rules.maxPercent, TIER_EFFECTS.max),
    of("CRIT", rules.critPercent, TIER_EFFECTS.crit),
    of("resume", rules.resumePercent, "below it the web is given back"),
  ];
}

function eventsOf(events: readonly StateEvent[] | undefined): readonly PageEvent[] {
  return (events ?? []).map(({ wallMs, text }) => ({ ts: timestamp(wallMs), text })).toReversed();
}
