/**
 * What an agent remembers of its scalings, so that the next one keeps to the same cooldowns. Times are milliseconds since
 * boot.
 *
 * ```json
 * {"version":1,"bootId":"6b1f5b9e-…","actions":[{"action":"ScaleOut","atBootMs":812000}],"failedAtBootMs":790000}
 * ```
 */

import { parseJsonObject } from "../json_object.ts";
import type { PastActions } from "./actions.ts";

/** What was done, and the boot that its times belong to. */
export interface ScaleMemory {
  readonly bootId: string;
  readonly past: PastActions;
}

/** The one version of the format so far. */
const MEMORY_VERSION = 1;

const KEYS = {
  memory: ["version", "bootId", "actions", "failedAtBootMs", "unknownBeforeBootMs"],
  action: ["action", "atBootMs"],
} as const;

/** The memory as one line of JSON, without what is undefined. Never throws. */
export function renderScaleMemory({ bootId, past }: ScaleMemory): string {
  const memory = {
    version: MEMORY_VERSION,
    bootId,
    actions: past.actions.map(({ action, atMs }) => ({ action, atBootMs: atMs })),
    failedAtBootMs: past.failedMs,
    unknownBeforeBootMs: past.unknownBeforeMs,
  };
  return `${JSON.stringify(memory)}\n`;
}

/**
 * Reads a memory.
 *
 * @param source Where it is from, for the error
 * @throws {ParseError} If it is cut short, of another version, or a member is missing, unknown or of the wrong kind
 */
export function parseScaleMemory(text: string, source: string): ScaleMemory {
  const memory = parseJsonObject(text, source, KEYS.memory);
  if (memory.count("version") !== MEMORY_VERSION) memory.refuse("version", `${MEMORY_VERSION}`);
  const unknownBeforeMs = memory.maybe("unknownBeforeBootMs", memory.count);
  return {
    bootId: memory.text("bootId"),
    past: {
      actions: memory.objects("actions", KEYS.action).map((action) => ({
        action: action.word("action", ["ScaleOut", "ScaleIn"]),
        atMs: action.count("atBootMs"),
      })),
      failedMs: memory.maybe("failedAtBootMs", memory.count),
      ...unknownBeforeMs === undefined ? {} : { unknownBeforeMs },
    },
  };
}

/**
 * What a new agent makes of a memory: in the same boot all of it still counts. What another boot left, what could not be
 * read, and what is from later than now say nothing: then both cooldowns begin now, in full. Never throws.
 *
 * @param bootMs Milliseconds since boot, now
 */
export function pastOf(left: ScaleMemory | undefined, bootId: string, bootMs: number): PastActions {
  const unknown: PastActions = { actions: [], failedMs: undefined, unknownBeforeMs: bootMs };
  if (left?.bootId !== bootId) return unknown;
  const { actions, failedMs = 0, unknownBeforeMs = 0 } = left.past;
  const timesMs = [...actions.map(({ atMs }) => atMs), failedMs, unknownBeforeMs];
  return timesMs.every((atMs) => atMs <= bootMs) ? left.past : unknown;
}
