/**
 * What a person asks of the running agent, and what it answers: two small files.
 *
 * ```json
 * {"verb":"hold","reason":"","expiresBootMs":2612000,"byUid":0,"atBootMs":812000,"atWallMs":1796155865000}
 * {"result":"done","text":"the web is paused: nginx, php8.2-fpm","atWallMs":1796155866000}
 * ```
 *
 * Times that rules go by are milliseconds since boot; wall times are for people.
 */

import { parseJsonObject } from "../json_object.ts";

/**
 * What can be asked: pause the web, give it back, or let go of everything that is held; take the host out of the balancer,
 * or keep it in.
 */
export type RequestVerb = "hold" | "resume" | "release" | "drain" | "undrain";

/** One thing that is asked for. */
export interface Request {
  readonly verb: RequestVerb;
  /** Why, for people, one line; may be empty. */
  readonly reason: string;
  /**
   * When what is asked for, but for a release, ends by itself; undefined is when somebody says so. By the asker's clock,
   * as `atBootMs` is: only the time between the two means anything to an agent.
   */
  readonly expiresBootMs: number | undefined;
  /** User who asked. */
  readonly byUid: number;
  readonly atBootMs: number;
  readonly atWallMs: number;
}

/** When an agent looks at requests. */
export interface RequestMoment {
  readonly bootMs: number;
  readonly wallMs: number;
}

/** What became of a request: it was done, it was tried and failed, or it was not tried. */
export type RequestResult = "done" | "failed" | "refused";

/** The answer to a request. */
export interface RequestOutcome {
  readonly result: RequestResult;
  /** For people, one line. */
  readonly text: string;
  readonly atWallMs: number;
}

/** Older ones are not followed: whoever asked has long been told that nobody answered. */
export const REQUEST_MAX_AGE_MS = 60_000;

/** Nothing is asked for longer than this: what is to last for ever is a setting. */
export const REQUEST_MAX_FOR_MS = 7 * 86_400_000;

const VERBS: readonly RequestVerb[] = ["hold", "resume", "release", "drain", "undrain"];
const RESULTS: readonly RequestResult[] = ["done", "failed", "refused"];

const REQUEST_KEYS = ["verb", "reason", "expiresBootMs", "byUid", "atBootMs", "atWallMs"];
const OUTCOME_KEYS = ["result", "text", "atWallMs"];

/** Names that request files may have: nothing that leads out of their folder, or hides. */
const ID = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;

/**
 * A name for a request that no other has, and by which requests of one boot sort as they were made.
 *
 * @param count How many this process made before
 */
export function requestId(atBootMs: number, pid: number, count: number): string {
  return `${String(atBootMs).padStart(13, "0")}-${pid}-${count}`;
}

/** Whether a text is a name that a request may have. */
export function isRequestId(text: string): boolean {
  return ID.test(text);
}

/** A request as text. Never throws. */
export function renderRequest(request: Request): string {
  return `${JSON.stringify(request)}\n`;
}

/** @throws {ParseError} If it is not exactly a request */
export function parseRequest(text: string, source: string): Request {
  const request = parseJsonObject(text, source, REQUEST_KEYS);
  return {
    verb: request.word("verb", VERBS),
    reason: request.text("reason"),
    expiresBootMs: request.maybe("expiresBootMs", request.count),
    byUid: request.count("byUid"),
    atBootMs: request.count("atBootMs"),
    atWallMs: request.count("atWallMs"),
  };
}

/** An outcome as text. Never throws. */
export function renderOutcome(outcome: RequestOutcome): string {
  return `${JSON.stringify(outcome)}\n`;
}

/** @throws {ParseError} If it is not exactly an outcome */
export function parseOutcome(text: string, source: string): RequestOutcome {
  const outcome = parseJsonObject(text, source, OUTCOME_KEYS);
  return {
    result: outcome.word("result", RESULTS),
    text: outcome.text("text"),
    atWallMs: outcome.count("atWallMs"),
  };
}

/**
 * Why a request is not followed, or undefined when it is.
 *
 * The asker's count of the time since boot may be ahead of the agent's: by the second to which a kernel
 * without a proc root tells it, by how long the host was suspended, or because one of them was told that of the host
 * around. Then the wall clocks tell the age.
 */
export function maybeRefusal(request: Request, now: RequestMoment): string | undefined {
  const bootAgeMs = now.bootMs - request.atBootMs;
  const ageMs = bootAgeMs < 0 ? now.wallMs - request.atWallMs : bootAgeMs;
  if (ageMs > REQUEST_MAX_AGE_MS) {
    return `asked ${Math.round(ageMs / 1000)} s ago, and no request older than ` +
      `${REQUEST_MAX_AGE_MS / 1000} s is followed; ask again`;
  }
  // However the clocks stand, giving back does no harm.
  if (ageMs < -REQUEST_MAX_AGE_MS && request.verb !== "release") {
    return `asked ${Math.round(-ageMs / 1000)} s from now, so that nobody knows how old it is; ask again`;
  }
  const forMs = maybeForMs(request);
  if (forMs === undefined) return undefined;
  if (request.verb === "release") return "only a hold or its opposite can expire, not a release";
  if (forMs > REQUEST_MAX_FOR_MS) {
    return `it is asked for ${Math.round(forMs / 1000)} s, expected at most ${REQUEST_MAX_FOR_MS / 1000} s`;
  }
  return forMs <= Math.max(0, ageMs) ? "it has expired already" : undefined;
}

/** When a request that is followed ends by itself, by the clock of the agent that takes it now; undefined is never. */
export function maybeEndMs(request: Request, nowBootMs: number): number | undefined {
  const forMs = maybeForMs(request);
  return forMs === undefined ? undefined : nowBootMs + forMs;
}

function maybeForMs({ expiresBootMs, atBootMs }: Request): number | undefined {
  return expiresBootMs === undefined ? undefined : expiresBootMs - atBootMs;
}
