/**
 * Why an evaluation came out as it did, in the same form whatever was evaluated:
 *
 * ```text
 * 2026-11-30T10:00:05Z  pressure  NodeSaturated: nothing was done
 *   inputs   cpu 0.41, lag 0.10, cpu_lag 0.41, inflight 0.08, latency 0.00; Node CPU 1.00
 *   rule     an application from 0.90 of its CPU, or its queue rising, while cpu_lag is below 0.75
 *   margin   CPU 0.10 over
 *   result   none: Node CPU 1.00, web tier 0.41
 * ```
 */

import { timestamp } from "./timestamp.ts";

/** An evaluation explained. Every text is one line. */
export interface Explanation {
  /** Undefined where a recording has no wall clock. */
  readonly wallMs: number | undefined;
  readonly about: "ladder" | "pressure";
  /** What it was found to be. */
  readonly found: string;
  readonly inputs: string;
  /** What it was held against. */
  readonly rule: string;
  /** How far it was from coming out otherwise. */
  readonly margin: string;
  /** What was done, or `none`, and why. */
  readonly result: string;
}

/** An explanation for people, without a line end after the last. Never throws. */
export function explanationLines(
  { wallMs, about, found, inputs, rule, margin, result }: Explanation,
): readonly string[] {
  const at = wallMs === undefined ? "" : `${timestamp(wallMs)}  `;
  return [
    `${at}${about.padEnd(8)}  ${found}`,
    `  inputs   ${inputs}`,
    `  rule     ${rule}`,
    `  margin   ${margin}`,
    `  result   ${result}`,
  ];
}

/** An explanation for programs. Never throws. */
export function explanationRecord({ wallMs, ...rest }: Explanation): Record<string, unknown> {
  return { ts: wallMs === undefined ? null : timestamp(wallMs), ...rest };
}
