/** A hold in words: since when, why, what it waits for, and what comes back. */

import { durationText } from "./duration.ts";
import type { AgentState } from "./state.ts";

/**
 * The lines of a hold as `status` shows them; empty when nothing is held. Never throws.
 *
 * @param nowBootMs Milliseconds since boot, now
 */
export function holdLines(state: AgentState, nowBootMs: number): readonly string[] {
  const { hold, thresholds, load1Percent, load5Percent } = state;
  if (hold === undefined) return [];
  const since = hold.sinceBootMs === undefined ? "" : ` for ${durationText(nowBootMs - hold.sinceBootMs)}`;
  const phase = hold.phase === "starting"
    ? "is being started again, held"
    : hold.phase === "stopping"
    ? "is being paused"
    : "paused";
  const lines = [`web ${phase}${since}: ${hold.text}`];
  if (hold.phase !== "starting" && hold.reason !== "by-hand" && thresholds !== undefined) {
    const above = [["1m", load1Percent], ["5m", load5Percent]]
      .filter(([, percent]) => typeof percent === "number" && percent >= thresholds.resumePercent)
      .map(([name, percent]) => `${name} ${Number(percent).toFixed(1)} %`);
    lines.push(
      above.length === 0
        ? "the load is safe; it comes back with the next pass"
        : `waits for ${above.join(" and ")} to fall below ${thresholds.resumePercent} %`,
    );
  }
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
