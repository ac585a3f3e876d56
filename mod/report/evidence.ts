/**
 * Evidence: why an evaluation acted or did not, with its numbers, in one line.
 *
 * ```text
 * ts=2026-11-29T19:31:05Z tier=max phase=recheck load1=671.0 load5=455.0 over=610.0 cpus=2 action=pause-web reason=confirmed …
 * ```
 *
 * Keys stand in a fixed order and those without a value are left out. Loads and PSI are in percent; `cpu_busy` and
 * `iowait` are shares from 0 to 1.
 */

import type { Decision } from "../ladder/decision.ts";
import { type DecisionRecord, recordOfDecision } from "../replay/decision_record.ts";
import { logfmt } from "./logfmt.ts";
import { timestamp } from "./timestamp.ts";

/** Where a decision was made: what the decision itself does not know. */
export interface EvidenceContext {
  /** Wall clock of the sample, milliseconds since 1970; undefined in a replay of a trace that has none. */
  readonly wallMs: number | undefined;
  readonly mode: "audit" | "replay" | "armed";
  /** Short name of the source of the readings, such as `bind-mount`. */
  readonly source: string;
  /** What an audit says of each action, in words; undefined in other modes. */
  readonly would?: readonly string[];
}

/** Evidence for programs: the decision's record and what it was decided on. Null is not known. */
export interface EvidenceRecord extends DecisionRecord {
  readonly ts: string | null;
  readonly overPct: number | null;
  readonly cpus: number | null;
  readonly reason: Decision["reason"];
  readonly alerts: Decision["alerts"];
  readonly runnablePerCpu: number | null;
  readonly cpuBusyRatio: number | null;
  readonly psiCpuPct: number | null;
  readonly psiIoPct: number | null;
  readonly cpuDemand: "wanted" | "not-wanted" | "unknown" | null;
  readonly iowaitPct: number | null;
  readonly backups: readonly string[] | null;
  readonly mode: EvidenceContext["mode"];
  readonly source: string;
  readonly would: readonly string[] | null;
}

/** Evidence as one line of logfmt. Never throws. */
export function renderEvidence(decision: Decision, context: EvidenceContext): string {
  const { witness } = decision;
  return logfmt([
    context.wallMs === undefined
      ? ["t", String(decision.monotonicMs / 1000)]
      : ["ts", timestamp(context.wallMs)],
    ["tier", decision.tier],
    ["phase", decision.phase],
    ["load1", fixed(decision.load1Percent, 1)],
    ["load5", fixed(decision.load5Percent, 1)],
    ["over", fixed(decision.overPercent, 1)],
    ["cpus", decision.cpuCount?.toString()],
    ["runnable_per_cpu", fixed(witness?.runnablePerCpu, 2)],
    ["cpu_busy", fixed(witness?.cpuBusyRatio, 2)],
    ["iowait", share(decision.iowaitPercent)],
    ["psi_cpu", fixed(witness?.psiCpuPercent, 2)],
    ["psi_io", fixed(witness?.psiIoPercent, 2)],
    ["cpu_demand", witness?.cpu],
    ["backup", decision.backups && (decision.backups.length === 0 ? "no" : decision.backups.join(", "))],
    ["action", decision.actions.length === 0 ? "none" : decision.actions.join(",")],
    ["reason", decision.reason],
    ["alert", decision.alerts.length === 0 ? undefined : decision.alerts.join(",")],
    ["mode", context.mode],
    ["source", context.source],
    [
      "would",
      context.would === undefined || context.would.length === 0 ? undefined : context.would.join("; "),
    ],
  ]);
}

/** Evidence as a record for JSON. Never throws. */
export function recordOfEvidence(decision: Decision, context: EvidenceContext): EvidenceRecord {
  const { witness } = decision;
  return {
    ts: context.wallMs === undefined ? null : timestamp(context.wallMs),
    ...recordOfDecision(decision),
    overPct: decision.overPercent ?? null,
    cpus: decision.cpuCount ?? null,
    reason: decision.reason,
    alerts: decision.alerts,
    runnablePerCpu: witness?.runnablePerCpu ?? null,
    cpuBusyRatio: witness?.cpuBusyRatio ?? null,
    psiCpuPct: witness?.psiCpuPercent ?? null,
    psiIoPct: witness?.psiIoPercent ?? null,
    cpuDemand: witness?.cpu ?? null,
    iowaitPct: decision.iowaitPercent ?? null,
    backups: decision.backups ?? null,
    mode: context.mode,
    source: context.source,
    would: context.would ?? null,
  };
}

function fixed(value: number | undefined, decimals: number): string | undefined {
  return value?.toFixed(decimals);
}

/** A percentage with one decimal as a share: two decimals, three when two would hide it. */
function share(percent: number | undefined): string | undefined {
  return percent === undefined ? undefined : (percent / 100).toFixed(3).replace(/0$/, "");
}
