/** What a check comes to: whether the host can be guarded, and the exit code that says so. */

import { whyMissing } from "../reading.ts";
import type { CheckFindings } from "./findings.ts";

/**
 * Why a host cannot be guarded. A closed list, so that reasons can be counted:
 * - `no-load`: no load can be read
 * - `host-load`: the load is that of a host around this container
 * - `no-web`: neither nginx nor php-fpm is installed or runs
 */
export type UnsuitableCode = "no-load" | "host-load" | "no-web";

/** One reason, with what was seen. */
export interface UnsuitableReason {
  readonly code: UnsuitableCode;
  readonly text: string;
}

/** The outcome of a check. */
export interface Verdict {
  /** 0 good, 2 there are problems of the configuration, 3 this host cannot be guarded, which weighs more. */
  readonly exitCode: 0 | 2 | 3;
  /** Why it cannot be guarded; empty when it can. */
  readonly reasons: readonly UnsuitableReason[];
  /** Problems of the configuration, advice not counted. */
  readonly problemCount: number;
  readonly adviceCount: number;
}

/** Judges what a check found. Never throws. */
export function judge(findings: CheckFindings): Verdict {
  const reasons = unsuitableReasons(findings);
  const { problems } = findings.config;
  const adviceCount = problems.filter(({ level }) => level === "advice").length;
  const problemCount = problems.length - adviceCount;
  return { exitCode: reasons.length > 0 ? 3 : problemCount > 0 ? 2 : 0, reasons, problemCount, adviceCount };
}

function unsuitableReasons({ sensors, web }: CheckFindings): readonly UnsuitableReason[] {
  const reasons: UnsuitableReason[] = [];
  const { load } = sensors.sample;
  if (load.kind !== "ok") reasons.push({ code: "no-load", text: `no load can be read: ${whyMissing(load)}` });
  const { hostLoad } = sensors.container;
  if (hostLoad !== undefined) {
    reasons.push({ code: "host-load", text: `the load is that of the host around it: ${hostLoad}` });
  }
  if (web.services.length === 0) {
    const elsewhere = web.foreign.length > 0 ? ", but for what is not ours" : "";
    reasons.push({ code: "no-web", text: `neither nginx nor php-fpm is installed or runs${elsewhere}` });
  }
  return reasons;
}
