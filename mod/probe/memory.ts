/**
 * What an agent leaves to the next one: that the host was in a moment ago, which a restart of the agent does not change, and which
 * sites have passed, which outlives the host.
 *
 * ```json
 * {"version":1,"bootId":"6b1f5b9e-…","inAtBootMs":812000}
 * {"version":1,"sites":["[\"www.example.org\",\"https://www.example.org/\",\"Welcome\"]"]}
 * ```
 */

import { parseJsonObject } from "../json_object.ts";
import { INITIAL_PROBE_STATE, type ProbeState } from "./state.ts";

/** When the host was last known to be in. */
export interface InMemory {
  readonly bootId: string;
  /** Milliseconds since boot. */
  readonly inAtBootMs: number;
}

/** The one version of both formats so far. */
const MEMORY_VERSION = 1;

/** An agent may be away for so long, as for an upgrade; after it the host is looked at as one that has just started. */
const AWAY_MS = 60_000;

/** The time as one line of JSON. Never throws. */
export function renderInMemory(memory: InMemory): string {
  return `${JSON.stringify({ version: MEMORY_VERSION, ...memory })}\n`;
}

/**
 * Reads a time.
 *
 * @param source Where it is from, for the error
 * @throws {ParseError} If it is cut short, of another version, or a member is missing, unknown or of the wrong kind
 */
export function parseInMemory(text: string, source: string): InMemory {
  const memory = parseJsonObject(text, source, ["version", "bootId", "inAtBootMs"]);
  if (memory.count("version") !== MEMORY_VERSION) memory.refuse("version", `${MEMORY_VERSION}`);
  return { bootId: memory.text("bootId"), inAtBootMs: memory.count("inAtBootMs") };
}

/** Keys of sites as one line of JSON. Never throws. */
export function renderProvenSites(sites: ReadonlySet<string>): string {
  return `${JSON.stringify({ version: MEMORY_VERSION, sites: [...sites] })}\n`;
}

/**
 * Reads keys of sites.
 *
 * @param source Where they are from, for the error
 * @throws {ParseError} If the text is cut short, of another version, or a member is missing, unknown or of the wrong kind
 */
export function parseProvenSites(text: string, source: string): ReadonlySet<string> {
  const memory = parseJsonObject(text, source, ["version", "sites"]);
  if (memory.count("version") !== MEMORY_VERSION) memory.refuse("version", `${MEMORY_VERSION}`);
  return new Set(memory.texts("sites"));
}

/**
 * What a new agent begins with: in, where one of this boot was in a moment ago; else nothing but the sites that have passed. Never
 * throws.
 *
 * @param bootMs Milliseconds since boot, now
 */
export function stateFrom(
  left: InMemory | undefined,
  provenSites: ReadonlySet<string>,
  bootId: string,
  bootMs: number,
): ProbeState {
  const awayMs = left?.bootId === bootId ? bootMs - left.inAtBootMs : NaN;
  return {
    ...INITIAL_PROBE_STATE,
    provenSites,
    standing: awayMs >= 0 && awayMs <= AWAY_MS ? { phase: "in", sinceMs: bootMs } : undefined,
  };
}
