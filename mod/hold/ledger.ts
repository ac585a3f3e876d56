/**
 * The ledger: what is held, why, since when, and what must be started again. It is written before anything is
 * stopped, so that whoever starts next, on whatever version, can give the web back.
 *
 * ```json
 * {
 *   "version": 1,
 *   "bootId": "6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab",
 *   "writtenBootMs": 812000,
 *   "writtenWallMs": 1796155865000,
 *   "hold": {
 *     "reason": "max", "text": "load1 671.0 % over 610 %",
 *     "sinceBootMs": 811500, "sinceWallMs": 1796155864500,
 *     "higherPercentAtStart": 671,
 *     "services": [
 *       {"kind": "nginx", "manager": "sysv", "name": "nginx", "program": "/usr/sbin/nginx", "args": []}
 *     ],
 *     "phase": "stopping", "startedAgain": []
 *   }
 * }
 * ```
 *
 * Times that rules go by are milliseconds since boot, and mean something for the boot that `bootId` names
 * alone; wall times are for people.
 */

import { type JsonObject, parseJsonObject } from "../json_object.ts";
import { BY_HAND, type ByHand } from "../ladder/sample.ts";
import { type Marker, MARKERS } from "../ladder/state.ts";
import type { ProbeByHand } from "../probe/input.ts";
import type { ServiceManager } from "../services/ownership.ts";
import type { WebKind } from "../services/web_program.ts";
import type { ServiceRef } from "./service_ref.ts";

/** The one version of the format so far. Another one is refused: guessing at what is held helps nobody. */
export const LEDGER_VERSION = 1;

/** Why the web is held: by a tier of the ladder, or because a person said so. */
export const HOLD_REASONS = ["max", "crit", "by-hand"] as const;

/** One of {@linkcode HOLD_REASONS}. */
export type HoldReason = typeof HOLD_REASONS[number];

/** How far a hold has come: services are being stopped, all are stopped, or they are being started again. */
export type HoldPhase = "stopping" | "held" | "starting";

/** A pause of the web, and the way back from it. */
export interface LedgerHold {
  readonly reason: HoldReason;
  /** Why, for people, one line. */
  readonly text: string;
  readonly sinceBootMs: number;
  readonly sinceWallMs: number;
  /** The higher of the two loads when it began, in percent of the CPUs; undefined where it was not known. */
  readonly higherPercentAtStart: number | undefined;
  /** What ran before, and is to run again. Written before the first is stopped. */
  readonly services: readonly ServiceRef[];
  readonly phase: HoldPhase;
  /** Names of the services that have been seen to run again. */
  readonly startedAgain: readonly string[];
  /** When a hold by hand ends by itself; undefined is when somebody says so. */
  readonly expiresBootMs: number | undefined;
}

/** The crawler block, as we left it. */
export interface LedgerCrawlerBlock {
  readonly on: boolean;
  /** Whether it was us who switched it on, so that it is ours to switch off. */
  readonly ours: boolean;
  readonly sinceWallMs: number;
}

/** What of the ladder's state a restart must not lose, with its times since boot. */
export interface LedgerLadder {
  /** In the order of {@linkcode MARKERS}. */
  readonly markers: readonly Marker[];
  readonly hold: { readonly sinceBootMs: number; readonly overdueReported: boolean } | undefined;
  /** The load at which a hold was given up as no help, in percent; undefined outside such a phase. */
  readonly futileAtPercent: number | undefined;
  /** When the load was last readable; undefined before that. */
  readonly lastValidBootMs: number | undefined;
}

/** What a person asked for, while it lasts. */
export interface LedgerByHand {
  readonly what: ByHand;
  /** When it ends by itself; undefined is when somebody says so. */
  readonly untilBootMs: number | undefined;
  /** Why, for people, one line; may be empty. */
  readonly reason: string;
}

/** What a person wants of the balancer, while it lasts. */
export interface LedgerDrain {
  readonly wants: ProbeByHand["wants"];
  /** When it ends by itself; undefined is when somebody says so. */
  readonly untilBootMs: number | undefined;
  /** Why, for people, one line; may be empty. */
  readonly reason: string;
}

/** All that outlives the agent. */
export interface Ledger {
  /** The boot that the times since boot belong to: the kernel's `boot_id`, or another word for it. */
  readonly bootId: string;
  readonly writtenBootMs: number;
  readonly writtenWallMs: number;
  /** Undefined when nothing is held. */
  readonly hold: LedgerHold | undefined;
  /** Undefined while it has never been touched. */
  readonly crawlerBlock: LedgerCrawlerBlock | undefined;
  readonly ladder: LedgerLadder | undefined;
  /** Undefined while nobody asks for anything. */
  readonly byHand: LedgerByHand | undefined;
  /** Undefined while nobody wants the host out, or in whatever the checks say. */
  readonly drain: LedgerDrain | undefined;
}

const HOLD_PHASES: readonly HoldPhase[] = ["stopping", "held", "starting"];
const KINDS: readonly WebKind[] = ["nginx", "php-fpm"];
const MANAGERS: readonly ServiceManager[] = ["systemd", "sysv", "none"];

/** Members of each object, in the order in which they are written. */
const KEYS = {
  ledger: [
    "version",
    "bootId",
    "writtenBootMs",
    "writtenWallMs",
    "hold",
    "crawlerBlock",
    "ladder",
    "byHand",
    "drain",
  ],
  hold: [
    "reason",
    "text",
    "sinceBootMs",
    "sinceWallMs",
    "higherPercentAtStart",
    "services",
    "phase",
    "startedAgain",
    "expiresBootMs",
  ],
  service: ["kind", "manager", "name", "program", "args", "confPath", "boundUnits"],
  crawlerBlock: ["on", "ours", "sinceWallMs"],
  ladder: ["markers", "hold", "futileAtPercent", "lastValidBootMs"],
  ladderHold: ["sinceBootMs", "overdueReported"],
  byHand: ["what", "untilBootMs", "reason"],
  drain: ["wants", "untilBootMs", "reason"],
} as const;

/** The ledger as text, its members always in the same order; what is undefined is left out. Never throws. */
export function renderLedger(ledger: Ledger): string {
  const { hold, ladder } = ledger;
  const value = {
    version: LEDGER_VERSION,
    ...pick(ledger, KEYS.ledger),
    hold: hold && {
      ...pick(hold, KEYS.hold),
      services: hold.services.map((service) => pick(service, KEYS.service)),
    },
    crawlerBlock: ledger.crawlerBlock && pick(ledger.crawlerBlock, KEYS.crawlerBlock),
    ladder: ladder && {
      ...pick(ladder, KEYS.ladder),
      hold: ladder.hold && pick(ladder.hold, KEYS.ladderHold),
    },
    byHand: ledger.byHand && pick(ledger.byHand, KEYS.byHand),
    drain: ledger.drain && pick(ledger.drain, KEYS.drain),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Reads a ledger. Whatever is not exactly as `renderLedger` would have written it, but for blanks and order,
 * is refused: a ledger decides what is started as root.
 *
 * @param source Where it is from, for the error
 * @throws {ParseError} If it is cut short, of another version, or a member is missing, unknown or of the
 * wrong kind
 */
export function parseLedger(text: string, source: string): Ledger {
  const ledger = parseJsonObject(text, source, KEYS.ledger);
  const version = ledger.count("version");
  if (version !== LEDGER_VERSION) ledger.refuse("version", `${LEDGER_VERSION}`);
  return {
    bootId: namedText(ledger, "bootId"),
    writtenBootMs: ledger.count("writtenBootMs"),
    writtenWallMs: ledger.count("writtenWallMs"),
    hold: ledger.maybe("hold", (key) => holdOf(ledger.object(key, KEYS.hold))),
    crawlerBlock: ledger.maybe("crawlerBlock", (key) => {
      const block = ledger.object(key, KEYS.crawlerBlock);
      return { on: block.flag("on"), ours: block.flag("ours"), sinceWallMs: block.count("sinceWallMs") };
    }),
    ladder: ledger.maybe("ladder", (key) => ladderOf(ledger.object(key, KEYS.ladder))),
    byHand: ledger.maybe("byHand", (key) => {
      const byHand = ledger.object(key, KEYS.byHand);
      return {
        what: byHand.word("what", BY_HAND),
        untilBootMs: byHand.maybe("untilBootMs", byHand.count),
        reason: byHand.text("reason"),
      };
    }),
    drain: ledger.maybe("drain", (key) => {
      const drain = ledger.object(key, KEYS.drain);
      return {
        wants: drain.word("wants", ["drain", "undrain"]),
        untilBootMs: drain.maybe("untilBootMs", drain.count),
        reason: drain.text("reason"),
      };
    }),
  };
}

function holdOf(hold: JsonObject): LedgerHold {
  return {
    reason: hold.word("reason", HOLD_REASONS),
    text: hold.text("text"),
    sinceBootMs: hold.count("sinceBootMs"),
    sinceWallMs: hold.count("sinceWallMs"),
    higherPercentAtStart: hold.maybe("higherPercentAtStart", hold.amount),
    services: hold.objects("services", KEYS.service).map(serviceOf),
    phase: hold.word("phase", HOLD_PHASES),
    startedAgain: hold.texts("startedAgain"),
    expiresBootMs: hold.maybe("expiresBootMs", hold.count),
  };
}

function serviceOf(service: JsonObject): ServiceRef {
  const boundUnits = service.maybe("boundUnits", service.texts);
  return {
    kind: service.word("kind", KINDS),
    manager: service.word("manager", MANAGERS),
    name: namedText(service, "name"),
    program: service.maybe("program", (key) => absolutePath(service, key)),
    args: service.texts("args"),
    confPath: service.maybe("confPath", (key) => namedText(service, key)),
    ...boundUnits === undefined ? {} : { boundUnits },
  };
}

function ladderOf(ladder: JsonObject): LedgerLadder {
  const markers = ladder.texts("markers");
  const known = MARKERS.filter((marker) => markers.includes(marker));
  if (known.length !== markers.length) ladder.refuse("markers", `each once of ${MARKERS.join(", ")}`);
  return {
    markers: known,
    hold: ladder.maybe("hold", (key) => {
      const hold = ladder.object(key, KEYS.ladderHold);
      return { sinceBootMs: hold.count("sinceBootMs"), overdueReported: hold.flag("overdueReported") };
    }),
    futileAtPercent: ladder.maybe("futileAtPercent", ladder.amount),
    lastValidBootMs: ladder.maybe("lastValidBootMs", ladder.count),
  };
}

function namedText(object: JsonObject, key: string): string {
  const text = object.text(key);
  return text === "" || text.includes("\0") ? object.refuse(key, "a text that is not empty") : text;
}

function absolutePath(object: JsonObject, key: string): string {
  const path = namedText(object, key);
  return path.startsWith("/") ? path : object.refuse(key, "an absolute path");
}

/** The members of a value in a given order. */
function pick(value: object, keys: readonly string[]): Record<string, unknown> {
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(keys.filter((key) => members.has(key)).map((key) => [key, members.get(key)]));
}
