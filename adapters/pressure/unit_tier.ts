/**
 * A web tier of template units, scaled by `systemctl`.
 *
 * What systemd says right before an action is the truth; nothing is remembered. Each action is one start or one stop,
 * and systemd owns it from there on: where this program dies in the middle of a scale-out an instance is left running,
 * which does no harm, and in the middle of a scale-in the stop goes on without it.
 */

import type { PressureConfig } from "../../mod/config/pressure_config.ts";
import { messageOf } from "../../mod/errors.ts";
import type { Command } from "../../mod/hold/start_command.ts";
import {
  LIST_ARGUMENTS,
  parseTierUnits,
  planScaleIn,
  planScaleOut,
  type TierUnit,
  type UnitPlan,
  type UnitRun,
} from "../../mod/pressure/tier_listing.ts";
import { tierPattern, tierUnit } from "../../mod/pressure/tier_unit.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import { runInWords } from "../web/command_text.ts";
import { maybeStopCommand, maybeSystemctl } from "../web/service_commands.ts";
import { hasBegun, type RunScaleHook, whyHookFailed } from "./scale_hooks.ts";
import { DRAIN_MS, maybeSaid, POLL_MS, type Tier, type TierOutcome } from "./tier.ts";

/** What scaling units takes. */
export interface UnitTierPorts {
  readonly run: RunCommand;
  /** Its monotonic time counts from boot. */
  readonly clock: Clock;
  readonly host: HostFiles;
  readonly runHook: RunScaleHook;
  /** Whether the instance with this index gives its figures. */
  readonly isAnswering: (index: number) => Promise<boolean>;
}

/** The settings that count for units. */
export type UnitTierConfig = Pick<
  PressureConfig,
  "tierTemplate" | "tierMinCount" | "tierMaxCount" | "tierDrain" | "startTimeoutMs" | "failureBackoffMs"
>;

/** systemd answers at once, unless it hangs. */
const ASK_MS = 5_000;

/** What does not answer has no visitors to finish, but may ignore that it is to end. */
const UNDO_MS = 20_000;

/** Shows since when a unit has been as it is, in microseconds since boot. */
const SINCE_ARGUMENTS = ["show", "--property=StateChangeTimestampMonotonic", "--value", "--"] as const;

/** What became of a stop. */
interface Stopped {
  readonly isDone: boolean;
  /** Whether it still serves. */
  readonly isUp: boolean;
  readonly text: string;
}

/** How an instance stands after its stop. */
const STOP_WORDS: Readonly<Record<UnitRun | "unknown", string>> = {
  down: "inactive",
  failed: "ended, and called failed by systemd",
  changing: "still stopping, by systemd",
  up: "still active",
  unknown: "nobody knows whether it is inactive",
};

/** The tier of the template in the settings. */
export function createUnitTier(ports: UnitTierPorts, config: UnitTierConfig): Tier {
  const { run, clock, host } = ports;
  const { tierTemplate, startTimeoutMs, failureBackoffMs } = config;
  const nameOf = (index: number): string => tierUnit(tierTemplate, index);
  const all = tierPattern(tierTemplate);

  /** @throws {Error} If there is no program that talks to systemd */
  function systemctl(...args: readonly string[]): Command {
    const program = maybeSystemctl(host);
    if (program === undefined) throw new Error(`Cannot scale ${all}: there is no systemctl`);
    return [program, ...args];
  }

  /** @throws {Error} If systemd does not answer, or not as expected */
  async function list(): Promise<readonly TierUnit[]> {
    const command = systemctl(...LIST_ARGUMENTS, all);
    const { result, text } = await runInWords(command, run, ASK_MS);
    if (result.timedOut || result.code !== 0) throw new Error(`Cannot list ${all}: ${text}`);
    return parseTierUnits(result.stdout, tierTemplate);
  }

  /** How one instance stands; undefined where systemd does not say. */
  async function maybeRun(index: number): Promise<UnitRun | undefined> {
    try {
      return runOf(index, await list());
    } catch {
      return undefined;
    }
  }

  /** How long ago an instance failed; undefined where systemd does not say. */
  async function maybeFailedForMs(index: number): Promise<number | undefined> {
    const [program, ...args] = systemctl(...SINCE_ARGUMENTS, nameOf(index));
    const { code, stdout } = await run(program, args, { deadlineMs: ASK_MS });
    const sinceUs = Number(stdout.trim());
    return code === 0 && sinceUs > 0 ? clock.monotonicMs() - sinceUs / 1000 : undefined;
  }

  /** Why an instance that has failed is not started now; undefined where it may be. */
  async function whyTooEarly(index: number): Promise<string | undefined> {
    const forMs = await maybeFailedForMs(index);
    if (forMs !== undefined && forMs >= failureBackoffMs) return undefined;
    const ago = forMs === undefined ? "nobody knows when" : `${Math.round(forMs / 1000)} s ago`;
    return `it failed, ${ago}; started again after ${Math.round(failureBackoffMs / 1000)} s at the earliest`;
  }

  /** Why an instance that was started does not answer by then, or not any more; undefined once it does. */
  async function whyNotAnswering(
    index: number,
    endMs: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    while (true) {
      const now = await maybeRun(index);
      if (now === "failed") return "it has failed";
      if (now === "down") return "it is inactive";
      if (now === "up" && await maybeSaid(() => ports.isAnswering(index))) return undefined;
      if (signal.aborted || clock.monotonicMs() >= endMs) {
        return `${now === "up" ? "it gives no figures" : "it is not active"} within ${startTimeoutMs} ms`;
      }
      await clock.sleep(POLL_MS, signal);
    }
  }

  async function stop(index: number, deadlineMs: number): Promise<string> {
    const command = maybeStopCommand({ manager: "systemd", name: nameOf(index) }, host);
    return command === undefined
      ? "there is no systemctl"
      : (await runInWords(command, run, deadlineMs)).text;
  }

  async function scaleOut(signal: AbortSignal): Promise<TierOutcome> {
    const plan = planScaleOut(await list(), config.tierMaxCount);
    if (plan.kind === "refuse") return refusalOf(plan, "started");
    const { index } = plan;
    const instance = nameOf(index);
    const early = plan.run === "failed" ? await whyTooEarly(index) : undefined;
    if (early !== undefined) return notDone(instance, `not started: ${early}`);
    // What holds its port would be taken for it, and it could not listen.
    if (await maybeSaid(() => ports.isAnswering(index))) {
      return notDone(instance, "not started: it is not active, and something answers in its place");
    }
    if (signal.aborted) return notDone(instance, "not started: the agent ends");
    const endMs = clock.monotonicMs() + startTimeoutMs;
    const { result, text } = await runInWords(systemctl("start", "--", instance), run, startTimeoutMs);
    const why = result.code === 0 ? await whyNotAnswering(index, endMs, signal) : "it did not start";
    if (why !== undefined && signal.aborted) {
      return notDone(instance, `${text}; left as it is, the agent ends`);
    }
    if (why !== undefined) {
      return notDone(instance, `${text}; ${why}; stopped again: ${await stop(index, UNDO_MS)}`);
    }
    const added = config.tierDrain === "hook" ? await maybeUsed(instance) : undefined;
    return { isDone: true, instance, text: withEnd(`${text}; active, and gives its figures`, added) };
  }

  async function scaleIn(signal: AbortSignal): Promise<TierOutcome> {
    const { tierDrain } = config;
    if (tierDrain === "none") return notDone(all, "not stopped: no drain is configured");
    const plan = planScaleIn(await list(), config.tierMinCount);
    if (plan.kind === "refuse") return refusalOf(plan, "stopped");
    const instance = nameOf(plan.index);
    const drained = tierDrain === "hook" ? await ports.runHook("scale-in", instance, DRAIN_MS) : undefined;
    const why = drained && whyHookFailed("scale-in", drained);
    const stopped = why === undefined
      ? await stopIfHighest(plan.index, signal)
      : { isDone: false, isUp: true, text: `not stopped: ${why}` };
    // One that serves on must not stay without visitors: it may soon be the only one.
    const isKept = stopped.isUp && drained !== undefined && hasBegun(drained);
    const text = withEnd(stopped.text, isKept ? await maybeUsed(instance) : undefined);
    return { isDone: stopped.isDone, instance, text };
  }

  /** Stops an instance, where the list of right now still says that it may be. */
  async function stopIfHighest(index: number, signal: AbortSignal): Promise<Stopped> {
    const kept = (why: string): Stopped => ({ isDone: false, isUp: true, text: `not stopped: ${why}` });
    let plan: UnitPlan;
    try {
      const units = await list();
      if (runOf(index, units) === "down") return { isDone: true, isUp: false, text: "inactive already" };
      plan = planScaleIn(units, config.tierMinCount);
    } catch (error) {
      return kept(messageOf(error));
    }
    if (plan.kind === "refuse") return kept(plan.text);
    if (plan.index !== index) return kept(`${nameOf(plan.index)} is the highest now`);
    if (signal.aborted) return kept("the agent ends");
    const text = await stop(index, DRAIN_MS);
    const now = await maybeRun(index);
    const isDone = now === "down" || now === "failed";
    return { isDone, isUp: now === "up", text: `${text}; ${STOP_WORDS[now ?? "unknown"]}` };
  }

  /** Has a hook put an instance to use that answers; what it came to, where there is one. */
  async function maybeUsed(instance: string): Promise<string | undefined> {
    const outcome = await ports.runHook("scale-out", instance, UNDO_MS);
    if (outcome.kind === "absent") return undefined;
    return whyHookFailed("scale-out", outcome) ?? "put to use by hook scale-out";
  }

  function refusalOf({ index, text }: UnitPlan & { readonly kind: "refuse" }, done: string): TierOutcome {
    return notDone(index === undefined ? all : nameOf(index), `not ${done}: ${text}`);
  }

  return { scaleOut, scaleIn };
}

/** systemd lists no instance that is idle. */
function runOf(index: number, units: readonly TierUnit[]): UnitRun {
  return units.find((unit) => unit.index === index)?.run ?? "down";
}

function notDone(instance: string, text: string): TierOutcome {
  return { isDone: false, instance, text };
}

function withEnd(text: string, end: string | undefined): string {
  return end === undefined ? text : `${text}; ${end}`;
}
