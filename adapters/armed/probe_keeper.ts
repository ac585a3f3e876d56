/**
 * Keeps the verdict of the probe: looks, makes one step, publishes. One loop beside that of the ladder, so that a site that
 * hangs holds up no pass.
 */

import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { CheckId, CheckResult } from "../../mod/probe/check.ts";
import type { ProbeByHand } from "../../mod/probe/input.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { type ProbeStep, probeStep } from "../../mod/probe/probe.ts";
import { LOOK_SHARE, type ProbeRules, type WantedCheck, wantedChecks } from "../../mod/probe/rules.ts";
import { INITIAL_PROBE_STATE, type ProbeState } from "../../mod/probe/state.ts";
import { PROBE_REASONS, type ProbeVerdict } from "../../mod/probe/verdict.ts";
import type { Clock } from "../clock.ts";
import { deadlineOf } from "../deadline.ts";
import type { ProbeMemory } from "./probe_memory.ts";

/** A look at checks: what has been seen of them by a deadline. It does not reject. */
export type LookAtChecks = (
  wanted: readonly WantedCheck[],
  deadlineMs: number,
) => Promise<ReadonlyMap<CheckId, CheckResult>>;

/** What a keeper works with. */
export interface ProbeKeeperPorts {
  readonly clock: Clock;
  /** 0 to 1, another one each time. */
  readonly random: () => number;
  /** The rules of now; undefined while nothing is probed and nobody told. */
  readonly rules: () => ProbeRules | undefined;
  readonly look: LookAtChecks;
  /** Whether the ladder or a person has paused the web. */
  readonly webPaused: () => boolean;
  readonly crawlerBlock: () => boolean;
  readonly byHand: () => ProbeByHand | undefined;
  /**
   * Whether so many peers are out that this host has to stay in; asked only when it would go out. What does not come within a
   * tick is that they are.
   */
  readonly drainLimitReached: () => Promise<boolean>;
  /** Takes each verdict, in its order. */
  readonly publish: (verdict: ProbeVerdict) => void;
  /** Nothing is probed any more: nobody is to be told of an old verdict. */
  readonly rest: () => void;
  readonly tell: (event: IncidentEvent) => void;
  /** What an agent before has left, and what the next one is to know. */
  readonly memory: ProbeMemory;
}

/** Keeps the verdict. Nothing here rejects. */
export interface ProbeKeeper {
  /** The verdict as it is now, with its age. */
  readonly published: () => Published;
  /** The web was just paused or a person wants something: that is made known now, without a look. */
  readonly wake: () => void;
  /** Looks until the signal aborts. A look that is under way then is left to itself. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Part of a tick by which the next one is earlier or later, so that the hosts of a fleet do not look in step. */
const JITTER = 0.1;

/** How long to wait where nothing is probed, until the settings are looked at again. */
const IDLE_MS = 5_000;

/** Opens a keeper that has not looked yet. */
export function openProbeKeeper(ports: ProbeKeeperPorts): ProbeKeeper {
  const {
    clock,
    random,
    rules,
    look,
    webPaused,
    crawlerBlock,
    byHand,
    drainLimitReached,
    publish,
    rest,
    tell,
    memory,
  } = ports;
  let state: ProbeState = memory.recall();
  let latest: ProbeVerdict | undefined;
  let tickMs = IDLE_MS;
  /** Whether people know, of this time out, that a check has failed. */
  let isToldFailed = false;

  function step(
    results: ReadonlyMap<CheckId, CheckResult>,
    drainLimitReached: boolean,
    current: ProbeRules,
  ): ProbeStep {
    return probeStep(state, {
      monotonicMs: clock.monotonicMs(),
      results,
      webPaused: webPaused(),
      drainLimitReached,
      byHand: byHand(),
    }, current);
  }

  function take(
    results: ReadonlyMap<CheckId, CheckResult>,
    isLimited: boolean,
    current: ProbeRules,
  ): void {
    const { state: next, verdict } = step(results, isLimited, current);
    state = next;
    memory.keep(state);
    latest = verdict;
    publish(verdict);
    const event = eventOf(verdict, isToldFailed);
    isToldFailed = verdict.phase === "drained" && (isToldFailed || verdict.reason === "check-failed");
    if (event !== undefined) tell(event);
  }

  /** Nothing is probed: what was known does not count when something is again. */
  function forget(): void {
    state = { ...INITIAL_PROBE_STATE, provenSites: state.provenSites };
    latest = undefined;
    isToldFailed = false;
    rest();
  }

  async function tick(current: ProbeRules, signal: AbortSignal): Promise<void> {
    const looking = look(wantedChecks(current), LOOK_SHARE * current.tickMs);
    const results = await deadlineOf(current.tickMs, looking) ?? new Map();
    // At the last moment: what all hosts share may fail all of them at once, and who asked before it knew sees nobody out.
    const isLimited = !signal.aborted && wouldDrain(results, current) &&
      (await deadlineOf(current.tickMs, drainLimitReached()) ?? true);
    if (!signal.aborted) take(results, isLimited, current);
  }

  /** Whether checks would take the host out by this look. */
  function wouldDrain(results: ReadonlyMap<CheckId, CheckResult>, current: ProbeRules): boolean {
    const after = step(results, false, current).state.standing;
    return after?.phase === "drained" && after.cause === "checks" && state.standing?.phase !== "drained";
  }

  return {
    published: () => ({
      verdict: latest,
      ageMs: latest === undefined ? 0 : clock.monotonicMs() - latest.monotonicMs,
      tickMs,
      crawlerBlock: crawlerBlock(),
    }),
    wake(): void {
      const current = rules();
      if (current !== undefined) take(new Map(), false, current);
    },
    async run(signal: AbortSignal): Promise<void> {
      const ended = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => ended.resolve(), { once: true });
      while (!signal.aborted) {
        const current = rules();
        const startMs = clock.monotonicMs();
        tickMs = current?.tickMs ?? IDLE_MS;
        if (current === undefined) forget();
        else await Promise.race([tick(current, signal), ended.promise]);
        const jitteredMs = tickMs * (1 + JITTER * (2 * random() - 1));
        await clock.sleep(startMs + jitteredMs - clock.monotonicMs(), signal);
      }
    },
  };
}

/**
 * What people are told of a change; nothing of what a person did, who knows. A host that is out for another reason, and
 * stays out because a check has failed, is one more that cannot serve.
 */
function eventOf(
  { phase, change, reason, text }: ProbeVerdict,
  isToldFailed: boolean,
): IncidentEvent | undefined {
  const details = text === "" ? [PROBE_REASONS[reason]] : [PROBE_REASONS[reason], text];
  if (phase === "drained" && reason === "check-failed" && !isToldFailed) {
    return plainEvent("drained", details);
  }
  switch (change) {
    case undefined:
    case "ready":
      return undefined;
    case "returned":
      return plainEvent("returned", details);
    case "drained":
      // A check that has failed is told above. What else takes a host out is a person, or a pause and what follows it.
      return reason === "check-failed" || reason === "drained-by-hand"
        ? undefined
        : plainEvent("drained-for-pause", details);
  }
}
