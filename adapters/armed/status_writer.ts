/** Keeps the state file of `status` up to date: one small file a pass. */

import { endOfHold } from "../../mod/hold/end_of_hold.ts";
import type { Ledger } from "../../mod/hold/ledger.ts";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import type { ProbeVerdict } from "../../mod/probe/verdict.ts";
import { stateOfVerdict } from "../../mod/report/probe.ts";
import type { AgentState, StateEvent } from "../../mod/report/state.ts";
import type { Pass } from "../agent.ts";
import type { Clock } from "../clock.ts";
import { STATE_PATH, writeState } from "../state_file.ts";

/** Events that are remembered of each sort. */
const EVENT_LIMIT = 8;

/** Writes the state of an armed agent. */
export interface StatusWriter {
  /** Remembers an event for those who ask. */
  readonly note: (event: IncidentEvent) => void;
  /** Writes the state after a pass. Never throws: a state that cannot be written is an old one. */
  readonly write: (pass: Pass) => void;
  /** The state now: of the last pass, and of what is held at the moment. Undefined before the first pass. */
  readonly state: () => AgentState | undefined;
  /** Writes that the agent has ended: nobody is probed any more, and held is what the ledger still holds. Never throws. */
  readonly end: () => void;
}

/** Opens a writer. */
export function openStatusWriter(
  clock: Clock,
  current: {
    readonly rules: () => LadderRules;
    readonly ledger: () => Ledger;
    /** Undefined where nothing is probed. */
    readonly verdict: () => ProbeVerdict | undefined;
  },
): StatusWriter {
  const startedWallMs = clock.wallMs();
  let lastActions: readonly StateEvent[] = [];
  let lastErrors: readonly StateEvent[] = [];
  let latest: { readonly pass: Pass; readonly bootMs: number; readonly wallMs: number } | undefined;

  function holdOf({ hold }: Ledger): AgentState["hold"] {
    if (hold === undefined) return undefined;
    return {
      reason: hold.reason,
      text: hold.text,
      sinceBootMs: hold.sinceBootMs,
      phase: hold.phase,
      services: hold.services.map(({ name }) => name),
      endsBootMs: endOfHold(hold, current.rules()),
    };
  }

  function stateOf(
    { decision }: Pass,
    writtenBootMs: number,
    writtenWallMs: number,
    endedWallMs?: number,
  ): AgentState {
    const ledger = current.ledger();
    const verdict = endedWallMs === undefined ? current.verdict() : undefined;
    const { spiderPercent, maxPercent, critPercent, resumePercent } = current.rules();
    return {
      pid: Deno.pid,
      bootId: ledger.bootId,
      writtenBootMs,
      writtenWallMs,
      startedWallMs,
      endedWallMs,
      intervalMs: current.rules().intervalMs,
      tier: decision.tier,
      load1Percent: decision.load1Percent,
      load5Percent: decision.load5Percent,
      cpuCount: decision.cpuCount,
      thresholds: { spiderPercent, maxPercent, critPercent, resumePercent },
      markers: decision.markers,
      crawlerBlock: ledger.crawlerBlock?.on ?? decision.crawlerBlock,
      hold: holdOf(ledger),
      futileAtPercent: ledger.ladder?.futileAtPercent,
      probe: verdict && stateOfVerdict(verdict),
      lastActions,
      lastErrors,
    };
  }

  return {
    note({ name, text, details }: IncidentEvent): void {
      const event = { wallMs: clock.wallMs(), text: [text, ...details].join("; ") };
      if (/-(?:failed|failing|unusable)$/.test(name)) lastErrors = [...lastErrors, event].slice(-EVENT_LIMIT);
      else lastActions = [...lastActions, event].slice(-EVENT_LIMIT);
    },
    write(pass: Pass): void {
      latest = { pass, bootMs: clock.monotonicMs(), wallMs: clock.wallMs() };
      writeState(STATE_PATH, stateOf(pass, latest.bootMs, latest.wallMs));
    },
    state: () => latest && stateOf(latest.pass, latest.bootMs, latest.wallMs),
    end(): void {
      const wallMs = clock.wallMs();
      if (latest !== undefined) {
        writeState(STATE_PATH, stateOf(latest.pass, clock.monotonicMs(), wallMs, wallMs));
      }
    },
  };
}
