/**
 * Pressure as it is shown and kept for others to show: what the agent found last, as texts and as a record.
 *
 * The reader may be older or newer than the writer, so that it takes the texts as they are.
 */

import { ParseError, quote } from "../errors.ts";
import { diagnose } from "../pressure/diagnosis.ts";
import type { PressureEvaluation } from "../pressure/pressure.ts";
import type { PressureCount } from "../pressure/tally.ts";
import { recordOfPressure } from "../replay/pressure_journal.ts";
import {
  actionText,
  appTable,
  classText,
  hostText,
  instanceTable,
  pressureLines,
  type TableText,
} from "./pressure_table.ts";

/** One evaluation, ready to be shown. */
export interface PressureView {
  /** The boot that the time since boot belongs to. */
  readonly bootId: string;
  readonly evaluatedBootMs: number;
  readonly wallMs: number;
  /** The tier as a panel, one line each. */
  readonly lines: readonly string[];
  readonly host: string;
  readonly instances: TableText;
  readonly apps: TableText;
  /** In short: the class, what was found, what to do. One line each. */
  readonly brief: readonly string[];
  /** For programs. */
  readonly record: unknown;
  /** How evaluations have come out since the agent began. */
  readonly counts: readonly PressureCount[];
}

/** An evaluation as it is shown. Never throws. */
export function pressureView(
  evaluation: PressureEvaluation,
  bootId: string,
  counts: readonly PressureCount[],
): PressureView {
  return {
    bootId,
    evaluatedBootMs: evaluation.atMs,
    wallMs: evaluation.wallMs,
    lines: pressureLines(evaluation),
    host: hostText(evaluation),
    instances: instanceTable(evaluation.instances),
    apps: appTable(evaluation.apps),
    brief: briefOf(evaluation),
    record: recordOfPressure(evaluation),
    counts,
  };
}

/** What a person who looks at something else should know. */
function briefOf(evaluation: PressureEvaluation): readonly string[] {
  const { found, advice } = diagnose(evaluation);
  return [
    `${classText(evaluation)}: ${found.join("; ")}`,
    ...advice === undefined ? [] : [advice],
    ...evaluation.action === "None" ? [] : [actionText(evaluation)],
  ];
}

/** The view as text: one line of JSON. Never throws. */
export function renderPressureState(view: PressureView): string {
  return `${JSON.stringify({ version: 1, ...view })}\n`;
}

/**
 * Reads a view; what is missing of it is empty.
 *
 * @throws {ParseError} If it is no JSON object, or does not say when it was written
 */
export function parsePressureState(text: string, source: string): PressureView {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ParseError(source, `${quote(text)} is no JSON, expected what an agent found of pressure`);
  }
  const view: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  const evaluatedBootMs = view["evaluatedBootMs"];
  if (typeof evaluatedBootMs !== "number") {
    throw new ParseError(
      source,
      `${quote(text)} has no evaluatedBootMs, expected what an agent found of pressure`,
    );
  }
  return {
    bootId: typeof view["bootId"] === "string" ? view["bootId"] : "",
    evaluatedBootMs,
    wallMs: typeof view["wallMs"] === "number" ? view["wallMs"] : 0,
    lines: textsOf(view["lines"]),
    host: typeof view["host"] === "string" ? view["host"] : "",
    instances: tableOf(view["instances"]),
    apps: tableOf(view["apps"]),
    brief: textsOf(view["brief"]),
    record: view["record"] ?? null,
    counts: [],
  };
}

function tableOf(value: unknown): TableText {
  const table: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  const head = textsOf(table["head"]);
  const rows = Array.isArray(table["rows"]) ? table["rows"].map(textsOf) : [];
  return { head, rows: rows.filter((row) => row.length === head.length) };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}
