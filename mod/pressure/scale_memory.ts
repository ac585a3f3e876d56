/**
 * What an agent remembers of its scalings, so that the next one keeps to the same cooldowns.
 *
 * ```json
 * {"version":1,"bootId":"6b1f5b9e-…","actions":[{"action":"ScaleOut","atBootMs":812000}],"failedAtBootMs":790000}
 * ```
 */

import { parseJsonObject } from "../json_object.ts";
import type { ScaleOutcome } from "./sample.ts";

/** A scaling that was done. */
export interface ScaleAction {
  readonly action: ScaleOutcome["action"];
  /** When it was done, in milliseconds since boot. */
  readonly atBootMs: number;
}

/** What one boot has seen of scalings. */
export interface ScaleMemory {
  readonly bootId: string;
  /** The oldest first. */
  readonly actions: readonly ScaleAction[];
  /** When a start failed last, in milliseconds since boot; undefined is never. */
  readonly failedAtBootMs: number | undefined;
}

/** What an agent begins with. */
export interface ScalePast extends Omit<ScaleMemory, "bootId"> {
  /** Both cooldowns run in full from here, because nobody knows what was done before; undefined where that is known. */
  readonly cooldownsFromBootMs: number | undefined;
}

/** The one version of the format so far. */
const MEMORY_VERSION = 1;

const KEYS = {
  memory: ["version", "bootId", "actions", "failedAtBootMs"],
  action: ["action", "atBootMs"],
} as const;

/** The memory as one line of JSON. Never throws. */
export function renderScaleMemory({ bootId, actions, failedAtBootMs }: ScaleMemory): string {
  return `${JSON.stringify({ version: MEMORY_VERSION, bootId, actions, failedAtBootMs })}\n`;
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
  return {
    bootId: memory.text("bootId"),
    actions: memory.objects("actions", KEYS.action).map((action) => ({
      action: action.word("action", ["ScaleOut", "ScaleIn"]),
      atBootMs: action.count("atBootMs"),
    })),
    failedAtBootMs: memory.maybe("failedAtBootMs", memory.count),
  };
}

/**
 * What a new agent makes of a memory: in the same boot all of it still counts; what another boot left, what could not be
 * read, and what is from later than now say nothing. Never throws.
 */
export function pastOf(left: ScaleMemory | undefined, bootId: string, bootMs: number): ScalePast {
  const isOurs = left !== undefined && left.bootId === bootId &&
    left.actions.every(({ atBootMs }) => atBootMs <= bootMs) && (left.failedAtBootMs ?? 0) <= bootMs;
  return isOurs
    ? { actions: left.actions, failedAtBootMs: left.failedAtBootMs, cooldownsFromBootMs: undefined }
    : { actions: [], failedAtBootMs: undefined, cooldownsFromBootMs: bootMs };
}
