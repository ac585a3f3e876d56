/** The probe in words, for `status`. */

import { PROBE_REASONS, type ProbeVerdict } from "../probe/verdict.ts";
import { durationText } from "./duration.ts";
import { printable } from "./printable.ts";
import type { StateProbe } from "./state.ts";

/** A look longer ago than this is worth mentioning. */
const OLD_MS = 15_000;

/** What of a verdict `status` shows: all that is not well. */
export function stateOfVerdict(
  { phase, reason, text, sinceMs, monotonicMs, checks }: ProbeVerdict,
): StateProbe {
  return {
    phase,
    reason,
    text,
    sinceBootMs: sinceMs,
    lookedBootMs: monotonicMs,
    checks: checks
      .filter(({ settled, result }) => settled === "warn" || settled === "drain" || result.state !== "ok")
      .map(({ id, result }) => ({ id, evidence: `${result.state}: ${result.evidence}` })),
  };
}

/** The lines of the probe; empty where nothing is probed. Never throws. */
export function probeLines(probe: StateProbe | undefined, nowBootMs: number): readonly string[] {
  if (probe === undefined) return [];
  const { phase, reason, text, sinceBootMs, lookedBootMs, checks } = probe;
  const since = sinceBootMs === undefined ? "" : ` for ${durationText(nowBootMs - sinceBootMs)}`;
  const why = reason in PROBE_REASONS ? PROBE_REASONS[reason as keyof typeof PROBE_REASONS] : reason;
  const old = lookedBootMs !== undefined && nowBootMs - lookedBootMs > OLD_MS
    ? `, looked ${durationText(nowBootMs - lookedBootMs)} ago`
    : "";
  return [
    `${PHASE_TEXT[phase ?? "starting"]}${since}: ${why}${text === "" ? "" : ` (${printable(text)})`}${old}`,
    ...checkLines(checks),
  ];
}

/** One line for each evidence: what many checks say alike, as before the first look, is said once. */
function checkLines(checks: StateProbe["checks"]): readonly string[] {
  const idsOf = Map.groupBy(checks, ({ evidence }) => evidence);
  return [...idsOf].map(([evidence, alike]) =>
    `${alike.map(({ id }) => printable(id)).join(", ")} ${printable(evidence)}`
  );
}

const PHASE_TEXT: Readonly<Record<ProbeVerdict["phase"], string>> = {
  starting: "not proven yet",
  in: "in",
  drained: "DRAINED",
};
