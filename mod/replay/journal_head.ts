/**
 * The heads of a journal: what the samples that follow were judged by, so that a replay needs nothing else.
 *
 * ```json
 * {"journal":1,"version":"0.1.0","wall":1796155865000,"settings":["ladder.max=5"],"drastic":true,"state":{…}}
 * ```
 *
 * | key        | value                                                                                  |
 * | ---------- | -------------------------------------------------------------------------------------- |
 * | `journal`  | version of the format                                                                  |
 * | `version`  | that of the program that decided                                                       |
 * | `wall`     | milliseconds since 1970                                                                |
 * | `settings` | those that are not the default, as `--set` takes them                                  |
 * | `drastic`  | false where no load was to be more than SPIDER                                         |
 * | `state`    | that of the ladder before the next sample; its times are milliseconds since boot, as `t` is in seconds |
 *
 * A head stands where an agent began, where its settings changed, and where lines before it are missing.
 */

import { type JsonObject, parseJsonObject } from "../json_object.ts";
import type { LineWatch } from "../ladder/frozen.ts";
import { type Hold, type LadderState, MARKERS } from "../ladder/state.ts";
import { ACTING_TIERS } from "../ladder/tier.ts";

/** What a head says. */
export interface JournalHead {
  readonly version: string;
  readonly wallMs: number;
  /** `section.key=value` texts. */
  readonly settings: readonly string[];
  /** Whether a load could be more than SPIDER. */
  readonly drasticAllowed: boolean;
  readonly state: LadderState;
}

/** The one version of the format so far. */
const JOURNAL_VERSION = 1;

/** What every head begins with, and no sample does. */
const BEGINNING = '{"journal":';

const KEYS = {
  head: ["journal", "version", "wall", "settings", "drastic", "state"],
  state: [
    "nextDueMs",
    "pending",
    "markers",
    "crawlerBlock",
    "hold",
    "futileAtPercent",
    "lastValidMs",
    "lineWatch",
  ],
  hold: ["sinceMs", "overdueReported", "byHand", "partlyStarted"],
  lineWatch: ["line", "sinceMs", "untilMs", "busyMs"],
} as const;

/** A head as one line, without its end. Never throws. */
export function renderJournalHead({ version, wallMs, settings, drasticAllowed, state }: JournalHead): string {
  // A state that is due at once has no time at which it is.
  const nextDueMs = Number.isFinite(state.nextDueMs) ? state.nextDueMs : undefined;
  return JSON.stringify({
    journal: JOURNAL_VERSION,
    version,
    wall: wallMs,
    settings,
    drastic: drasticAllowed,
    state: { ...state, nextDueMs },
  });
}

/** Whether a line is, or was to be, a head. */
export function isJournalHead(line: string): boolean {
  return line.startsWith(BEGINNING);
}

/**
 * The head in a line of a recording; undefined where the line is none.
 *
 * @param source Where the line stands, for the error
 * @param line Line number from 1, for the error
 * @throws {ParseError} If it is cut short, of another version, or a member is missing, unknown or of the wrong kind
 */
export function maybeJournalHead(text: string, source: string, line: number): JournalHead | undefined {
  if (!isJournalHead(text)) return undefined;
  const head = parseJsonObject(text, source, KEYS.head, line);
  if (head.count("journal") !== JOURNAL_VERSION) head.refuse("journal", `${JOURNAL_VERSION}`);
  return {
    version: head.text("version"),
    wallMs: head.count("wall"),
    settings: head.texts("settings"),
    drasticAllowed: head.flag("drastic"),
    state: stateOf(head.object("state", KEYS.state)),
  };
}

function stateOf(state: JsonObject): LadderState {
  const markers = state.texts("markers");
  return {
    nextDueMs: state.maybe("nextDueMs", state.count) ?? -Infinity,
    pending: state.maybe("pending", (key) => state.word(key, ACTING_TIERS)),
    markers: MARKERS.filter((marker) => markers.includes(marker)),
    crawlerBlock: state.flag("crawlerBlock"),
    hold: state.maybe("hold", (key) => holdOf(state.object(key, KEYS.hold))),
    futileAtPercent: state.maybe("futileAtPercent", state.amount),
    lastValidMs: state.maybe("lastValidMs", state.count),
    lineWatch: state.maybe("lineWatch", (key) => lineWatchOf(state.object(key, KEYS.lineWatch))),
  };
}

function holdOf(hold: JsonObject): Hold {
  return {
    sinceMs: hold.count("sinceMs"),
    overdueReported: hold.flag("overdueReported"),
    byHand: hold.flag("byHand"),
    partlyStarted: hold.flag("partlyStarted"),
  };
}

function lineWatchOf(watch: JsonObject): LineWatch {
  return {
    line: watch.text("line"),
    sinceMs: watch.count("sinceMs"),
    untilMs: watch.count("untilMs"),
    busyMs: watch.amount("busyMs"),
  };
}
