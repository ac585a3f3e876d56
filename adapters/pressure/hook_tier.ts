/**
 * A web tier whose instances hooks of the host's owner start and stop: `scale-out` starts the one that it is told,
 * `scale-in` drains and stops it.
 *
 * What an instance does right before an action is the truth; nothing is remembered. Where this program dies in the
 * middle, the hook goes on by itself.
 */

import type { PressureConfig } from "../../mod/config/pressure_config.ts";
import type { Clock } from "../clock.ts";
import { hasBegun, type RunScaleHook, whyHookFailed } from "./scale_hooks.ts";
import { DRAIN_MS, maybeSaid, POLL_MS, type Tier, type TierOutcome } from "./tier.ts";

/** An instance that is configured. */
export interface NamedInstance {
  readonly name: string;
  /** Whether a process of it is there; false where none can be told by a unit or a pid file. */
  readonly isRunning: () => Promise<boolean>;
  /** Whether it gives its figures. */
  readonly isAnswering: () => Promise<boolean>;
}

/** What scaling by hooks takes. */
export interface HookTierPorts {
  readonly clock: Clock;
  readonly runHook: RunScaleHook;
  /** In the order in which they are started. */
  readonly instances: readonly NamedInstance[];
}

/** The settings that count for hooks. */
export type HookTierConfig = Pick<
  PressureConfig,
  "tierMinCount" | "tierMaxCount" | "tierDrain" | "startTimeoutMs"
>;

/** `free` neither runs nor answers. What does not say is `unknown`: neither started nor stopped, nor counted on. */
type InstanceState = "up" | "free" | "unknown";

/** After a hook that has stopped an instance, nothing of it is seen within this. */
const GONE_MS = 10_000;

/** The tier of the instances in the settings. */
export function createHookTier(ports: HookTierPorts, config: HookTierConfig): Tier {
  const { clock, runHook, instances } = ports;

  async function lookAtAll(): Promise<readonly Looked[]> {
    return await Promise.all(
      instances.map(async (instance) => ({ instance, state: await stateOf(instance) })),
    );
  }

  /** Waits until an instance is as it should be, until then at most; whether it is. */
  async function becomes(
    isIt: () => Promise<boolean>,
    endMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    while (!await isIt()) {
      if (signal.aborted || clock.monotonicMs() >= endMs) return false;
      await clock.sleep(POLL_MS, signal);
    }
    return true;
  }

  async function scaleOut(signal: AbortSignal): Promise<TierOutcome> {
    const looked = await lookAtAll();
    // What does not say may run: it counts against the greatest number.
    const usedCount = looked.filter(({ state }) => state !== "free").length;
    const free = looked.find(({ state }) => state === "free")?.instance;
    if (usedCount >= config.tierMaxCount || free === undefined) {
      const mostCount = Math.min(config.tierMaxCount, instances.length);
      return notDone("", `not started: ${usedCount} instances are used, of ${mostCount} at most`);
    }
    const { name } = free;
    if (signal.aborted) return notDone(name, "not started: the agent ends");
    const endMs = clock.monotonicMs() + config.startTimeoutMs;
    const started = await runHook("scale-out", name, config.startTimeoutMs);
    const why = whyHookFailed("scale-out", started);
    if (why !== undefined && !hasBegun(started)) return notDone(name, why);
    const answers = async (): Promise<boolean> => await maybeSaid(free.isAnswering) ?? false;
    if (why === undefined && await becomes(answers, endMs, signal)) {
      return { isDone: true, instance: name, text: "started by hook scale-out; gives its figures" };
    }
    if (signal.aborted) return notDone(name, "left as it is, the agent ends");
    const failure = why ?? `it gives no figures within ${config.startTimeoutMs} ms, with hook scale-out`;
    const undone = whyHookFailed("scale-in", await runHook("scale-in", name, DRAIN_MS));
    return notDone(name, `${failure}; ${undone ?? "stopped again by hook scale-in"}`);
  }

  async function scaleIn(signal: AbortSignal): Promise<TierOutcome> {
    if (config.tierDrain === "none") return notDone("", "not stopped: no drain is configured");
    const up = (await lookAtAll()).filter(({ state }) => state === "up");
    const leastCount = Math.max(1, config.tierMinCount);
    const last = up.at(-1)?.instance;
    if (last === undefined || up.length <= leastCount) {
      return notDone("", `not stopped: ${up.length} instances run, of ${leastCount} at least`);
    }
    const { name } = last;
    if (signal.aborted) return notDone(name, "not stopped: the agent ends");
    const why = whyHookFailed("scale-in", await runHook("scale-in", name, DRAIN_MS));
    if (why !== undefined) return notDone(name, why);
    const isFree = async (): Promise<boolean> => await stateOf(last) === "free";
    return await becomes(isFree, clock.monotonicMs() + GONE_MS, signal)
      ? { isDone: true, instance: name, text: "stopped by hook scale-in; answers no more" }
      : notDone(name, "hook scale-in has ended, and it still runs or answers");
  }

  return { scaleOut, scaleIn };
}

interface Looked {
  readonly instance: NamedInstance;
  readonly state: InstanceState;
}

async function stateOf({ isRunning, isAnswering }: NamedInstance): Promise<InstanceState> {
  const [runs, answers] = await Promise.all([maybeSaid(isRunning), maybeSaid(isAnswering)]);
  if (runs || answers) return "up";
  return runs === undefined || answers === undefined ? "unknown" : "free";
}

function notDone(instance: string, text: string): TierOutcome {
  return { isDone: false, instance, text };
}
