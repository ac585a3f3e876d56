/** Pressure as an armed agent watches it: its looks, its evaluations, what is scaled, and all who are told. */

import type { Config } from "../../mod/config/config.ts";
import type { AppConfig, InstanceConfig } from "../../mod/config/pressure_config.ts";
import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { PressureFacts } from "../../mod/metrics/pressure_series.ts";
import { isPressureWatched, pressureRulesOf, type Watched } from "../../mod/pressure/config_rules.ts";
import type { PressureEvaluation } from "../../mod/pressure/pressure.ts";
import type { ScaleOutcome } from "../../mod/pressure/sample.ts";
import { countEvaluation, type PressureCount } from "../../mod/pressure/tally.ts";
import { tierUnit } from "../../mod/pressure/tier_unit.ts";
import { renderPressureLine, subOf } from "../../mod/report/pressure_line.ts";
import { type PressureView, pressureView } from "../../mod/report/pressure_view.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import { createSamplerOf, planOf } from "../pressure/look.ts";
import { openPressureJournal, PRESSURE_JOURNAL_PATH } from "../pressure/pressure_journal.ts";
import { writePressureState } from "../pressure/pressure_state_file.ts";
import { openScaleMemory, SCALE_MEMORY_FILE } from "../pressure/scale_memory_file.ts";
import type { RunScaleHook } from "../pressure/scale_hooks.ts";
import { openScaler, type Scaler } from "../pressure/scaler.ts";
import { renewed } from "../renewed.ts";
import type { Source } from "../source.ts";
import { keepPressure, type PressureLook } from "./pressure_keeper.ts";

/** What pressure works with. */
export interface PressurePorts {
  readonly clock: Clock;
  readonly source: Source;
  readonly run: RunCommand;
  readonly host: HostFiles;
  readonly runHook: RunScaleHook;
  /** The settings of now: they may be read again while the agent runs. */
  readonly config: () => Config;
  readonly instances: () => readonly InstanceConfig[];
  readonly apps: () => readonly AppConfig[];
  readonly bootId: string;
  /** Whether the web is held, or this host is out at its balancer. */
  readonly isHeld: () => boolean;
  /** Takes each evaluation; undefined when nothing is watched any more. */
  readonly note: (evaluation: PressureEvaluation | undefined) => void;
  /** Takes a line of evidence, without its line end. */
  readonly print: (line: string) => void;
  readonly tell: (event: IncidentEvent) => void;
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** Pressure. Nothing of it rejects but what nobody foresaw, in `run`. */
export interface Pressure {
  /** What was found last; undefined where nothing is watched, or not yet. */
  readonly view: () => PressureView | undefined;
  /** The same as figures; the evaluation is undefined where there is no view. */
  readonly figures: () => PressureFacts;
  /** Watches until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Ends what is under way, and writes what is left. */
  readonly close: () => Promise<void>;
}

/** An evaluation that says the same as the one before is printed so often. */
const SAME_LINE_MS = 300_000;

/** How long an end waits for a scaling: what has begun goes on without us. */
const CLOSE_DEADLINE_MS = 2_000;

/** Opens pressure; it looks once it runs. */
export function openPressure(ports: PressurePorts): Pressure {
  const { clock, source, run, host, runHook, config, instances, apps, bootId, tell, tellChange } = ports;
  const memory = openScaleMemory(
    SCALE_MEMORY_FILE,
    bootId,
    clock.monotonicMs(),
    (line) => tellChange("scaling memory", line),
  );
  const journal = openPressureJournal({ path: PRESSURE_JOURNAL_PATH, tellChange });
  const ending: Promise<unknown>[] = [];
  let latest: PressureLook | undefined;
  let view: PressureView | undefined;
  let evaluated: PressureEvaluation | undefined;
  let counts: readonly PressureCount[] = [];
  let printed: { readonly key: string; readonly atMs: number } | undefined;

  const watched = (): Watched => ({ config: config(), instances: instances(), apps: apps() });
  const sampler = renewed(
    () => planOf(watched()),
    (plan) => createSamplerOf({ clock, source, run, host }, plan),
    (old) => old.close(),
  );
  const scaler = renewed(
    () => {
      const { tierTemplate, tierMinCount, tierMaxCount, tierDrain, startTimeoutMs, failureBackoffMs } =
        config();
      const names = instances().map(({ name }) => name);
      return { names, tierTemplate, tierMinCount, tierMaxCount, tierDrain, startTimeoutMs, failureBackoffMs };
    },
    ({ names, ...settings }): Scaler =>
      openScaler({
        run,
        clock,
        host,
        runHook,
        isAnswering: (index) => Promise.resolve(answers(tierUnit(settings.tierTemplate, index))),
        instances: names.map((name) => ({
          name,
          isRunning: () => Promise.resolve(isThere(name)),
          isAnswering: () => Promise.resolve(answers(name)),
        })),
      }, settings),
    (old) => void ending.push(old.close(CLOSE_DEADLINE_MS)),
  );

  function answers(name: string): boolean {
    return latest?.instances.find((one) => one.name === name)?.metrics.kind === "ok";
  }

  function isThere(name: string): boolean {
    const group = latest?.instances.find((one) => one.name === name)?.group;
    return group?.kind === "ok" && group.value.length > 0;
  }

  function report(evaluation: PressureEvaluation): void {
    journal.note(evaluation);
    ports.note(evaluation);
    counts = countEvaluation(counts, evaluation);
    evaluated = evaluation;
    view = pressureView(evaluation, bootId, counts);
    const written = writePressureState(view);
    tellChange("pressure state", written.kind === "failed" ? written.error : undefined);
    const { action, because } = evaluation;
    const key = `${evaluation.class} ${subOf(evaluation)} ${action} ${because.code}`;
    const isSame = printed?.key === key && evaluation.atMs - printed.atMs < SAME_LINE_MS;
    if (isSame && action === "None") return;
    printed = { key, atMs: evaluation.atMs };
    ports.print(renderPressureLine(evaluation));
  }

  function rest(): void {
    sampler.end();
    scaler.end();
    latest = undefined;
    view = undefined;
    ports.note(undefined);
    evaluated = undefined;
    printed = undefined;
  }

  return {
    view: () => view,
    figures: () => ({ evaluation: evaluated, counts }),
    async run(signal: AbortSignal): Promise<void> {
      await keepPressure({
        clock,
        rules: () => {
          const now = watched();
          if (isPressureWatched(now)) return pressureRulesOf(now);
          rest();
          return undefined;
        },
        look: async () => latest = await sampler.current().take(),
        scaler: {
          scale: (action) => scaler.current().scale(action),
          isScaling: () => scaler.current().isScaling(),
          takeOutcome: () => scaler.current().takeOutcome(),
        },
        isHeld: ports.isHeld,
        past: memory.past,
        remember: memory.keep,
        report,
        tellOutcome: (outcome) => tell(eventOf(outcome)),
      }, signal);
    },
    async close(): Promise<void> {
      rest();
      await Promise.all([...ending, journal.close()]);
    },
  };
}

function eventOf({ action, isDone, text }: ScaleOutcome): IncidentEvent {
  if (!isDone) return plainEvent("scaling-failed", [text]);
  return plainEvent(action === "ScaleOut" ? "scaled-out" : "scaled-in", [text]);
}
