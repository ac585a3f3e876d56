/**
 * Scales the web tier out and in by one instance, in the background, one scaling at a time.
 *
 * A program that dies in the middle does no harm: what it had begun goes on by systemd or by the hook, an instance too
 * many is left running, and the next agent looks what there is.
 */

import type { PressureConfig } from "../../mod/config/pressure_config.ts";
import { messageOf } from "../../mod/errors.ts";
import type { ScaleOutcome } from "../../mod/pressure/sample.ts";
import { deadlineOf } from "../deadline.ts";
import { createHookTier, type HookTierPorts } from "./hook_tier.ts";
import type { Tier } from "./tier.ts";
import { createUnitTier, type UnitTierPorts } from "./unit_tier.ts";

/** What scaling takes, by units and by hooks. */
export interface ScalerPorts extends UnitTierPorts, HookTierPorts {}

/** The settings that count for scaling. */
export type ScalerConfig = Pick<
  PressureConfig,
  "tierTemplate" | "tierMinCount" | "tierMaxCount" | "tierDrain" | "startTimeoutMs" | "failureBackoffMs"
>;

/** Scales in the background. Nothing here throws or rejects. */
export interface Scaler {
  /** Takes a scaling and returns at once. Ignored while one is under way, and once this is closed. */
  readonly scale: (action: ScaleOutcome["action"]) => void;
  readonly isScaling: () => boolean;
  /** What became of the scaling that has ended, once. */
  readonly takeOutcome: () => ScaleOutcome | undefined;
  /** Begins nothing more, and waits for what is under way, so many milliseconds at most. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/** There where systemd is process 1. */
const SYSTEMD_FOLDER = "/run/systemd/system";

/** A scaler with nothing to do yet. */
export function openScaler(ports: ScalerPorts, config: ScalerConfig): Scaler {
  const tier = tierOf(ports, config);
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let outcome: ScaleOutcome | undefined;

  async function work(action: ScaleOutcome["action"]): Promise<void> {
    try {
      const end = action === "ScaleOut" ? tier.scaleOut(closing.signal) : tier.scaleIn(closing.signal);
      outcome = { action, ...await end };
    } catch (error) {
      outcome = { action, isDone: false, instance: "", text: messageOf(error) };
    }
    running = undefined;
  }

  return {
    scale(action: ScaleOutcome["action"]): void {
      if (running === undefined && !closing.signal.aborted) running = work(action);
    },
    isScaling: () => running !== undefined,
    takeOutcome(): ScaleOutcome | undefined {
      const taken = outcome;
      outcome = undefined;
      return taken;
    },
    async close(deadlineMs: number): Promise<void> {
      closing.abort();
      if (running !== undefined) await deadlineOf(deadlineMs, running);
    },
  };
}

function tierOf(ports: ScalerPorts, config: ScalerConfig): Tier {
  return config.tierTemplate !== "" && ports.host.exists(SYSTEMD_FOLDER)
    ? createUnitTier(ports, config)
    : createHookTier(ports, config);
}
