/** A hold in words: since when, why, what it waits for, and what comes back. */

import { durationText } from "./duration.ts";
import type { AgentState, StateHold } from "./state.ts";

/**
 * The lines of a hold as `status` shows them; empty when nothing is held. Never throws.
 *
 * @param nowBootMs Milliseconds since boot, now
 */
export function holdLines(state: AgentState, nowBootMs: number): readonly string[] {
  const { hold } = state;
  if (hold === undefined) return [];
  const lines = [`${holdHeadline(hold, nowBootMs)}: ${hold.text}`];
  const wait = maybeWaitText(state);
  if (wait !== undefined) lines.push(wait);
  lines.push(
    hold.services.length === 0
      ? "nothing was running, so nothing will be started"
      : `stopped, and will be started: ${hold.services.join(", ")}`,
  );
  if (hold.endsBootMs !== undefined) {
    lines.push(`ends by itself in ${durationText(Math.max(0, hold.endsBootMs - nowBootMs))}`);
  }
  return lines;
}

/** How far the hold has come and how long it has lasted: `web paused for 4 m 12 s`. Never throws. */
export function holdHeadline({ phase, sinceBootMs }: StateHold, nowBootMs: number): string {
  const since = sinceBootMs === undefined ? "" : ` for ${durationText(nowBootMs - sinceBootMs)}`;
  const words = phase === "starting"
    ? "is being started again, held"
    : phase === "stopping"
    ? "is being paused"
    : "paused";
  return `web ${words}${since}`;
}

/** What the hold waits for of the load; undefined where it is not the load that ends it. Never throws. */
export function maybeWaitText(
  { hold, thresholds, load1Percent, load5Percent }: AgentState,
): string | undefined {
  if (hold === undefined || thresholds === undefined) return undefined;
  if (hold.phase === "starting" || hold.reason === "by-hand") return undefined;
  const above = [["1m", load1Percent], ["5m", load5Percent]]
    .filter(([, percent]) => typeof percent === "number" && percent >= thresholds.resumePercent)
    .map(([name, percent]) => `${name} ${Number(percent).toFixed(1)} %`);
  return above.length === 0
    ? "the load is safe; it comes back with the next pass"
    : `waits for ${above.join(" and ")} to fall below ${thresholds.resumePercent} %`;
}
