/** The two hooks of a scaling: what they came to, in words. */

import { hookFailureText, type HookOutcome } from "../hooks.ts";

/** A hook of a scaling. */
export type ScaleHook = "scale-out" | "scale-in";

/** Runs a hook for an instance and waits for it, so many milliseconds at most. Never rejects. */
export type RunScaleHook = (name: ScaleHook, instance: string, deadlineMs: number) => Promise<HookOutcome>;

/** Why a hook has not done what it is for; undefined where it has. Never throws. */
export function whyHookFailed(name: ScaleHook, outcome: HookOutcome): string | undefined {
  return outcome.kind === "absent" ? `there is no hook ${name}` : hookFailureText(name, outcome);
}

/** Whether a hook has been at work, if only for a part. Never throws. */
export function hasBegun({ kind }: HookOutcome): boolean {
  return kind === "ran" || kind === "timed-out";
}
