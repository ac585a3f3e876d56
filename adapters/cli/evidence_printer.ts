/** The evidence that an armed agent prints for whoever keeps its log. */

import { renderEvidence } from "../../mod/report/evidence.ts";
import type { Pass } from "../agent.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { tellMissing } from "../sensor_notices.ts";
import type { Host } from "./host.ts";
import type { BackgroundOutput } from "./output.ts";

/** On a quiet host one line of evidence in so long shows that the agent is there. */
const QUIET_LINE_MS = 300_000;

/** Prints evidence: of every evaluation while something is up, now and then while all is quiet. */
export function evidencePrinter(
  { source }: Host,
  diagnostics: Diagnostics,
  output: BackgroundOutput,
): (pass: Pass) => void {
  let lastMs = -Infinity;
  return ({ decision, sample }) => {
    tellMissing(sample, diagnostics);
    const isQuiet = decision.tier === "normal" && decision.actions.length === 0 && !decision.paused;
    if (isQuiet && sample.monotonicMs - lastMs < QUIET_LINE_MS) return;
    lastMs = sample.monotonicMs;
    const line = renderEvidence(decision, { wallMs: sample.wallMs, mode: "armed", source: source.name });
    output.write(`${line}\n`);
  };
}
