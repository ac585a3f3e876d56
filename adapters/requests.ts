/**
 * Requests by hand to the running agent, as files in a folder that only root may enter.
 *
 *     ID.json           asked, by a verb such as `loadweir hold`
 *     ID.taken          the agent has taken it: it will be done, or has been
 *     ID.outcome.json   answered; whoever asked reads and removes it
 *     ID.refused        what could not be followed, kept for a look
 *
 * Each step is one rename, so a request is either withdrawn by the asker or taken by the agent, never both.
 */

import { messageOf } from "../mod/errors.ts";
import {
  isRequestId,
  maybeRefusal,
  parseOutcome,
  parseRequest,
  renderOutcome,
  renderRequest,
  type Request,
  requestId,
  type RequestMoment,
  type RequestOutcome,
} from "../mod/requests/request.ts";
import { describeFileError, writeAtomically, type WriteOutcome } from "./atomic_file.ts";
import type { Clock } from "./clock.ts";
import { whyDistrusted } from "./trusted_file.ts";
import { removeQuietly } from "./quiet_file.ts";

/** Where requests are. */
export const REQUESTS_PATH = "/run/loadweir/state/requests";

/** How an asker waits. */
export interface AskOptions {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Ends the waiting early. */
  readonly signal?: AbortSignal;
}

/** What an asker learns. */
export type Answer =
  | { readonly kind: "answered"; readonly outcome: RequestOutcome }
  /** Nobody took the request in time. It is withdrawn: it will not be followed later. */
  | { readonly kind: "withdrawn" }
  /** The agent took it and has not answered in time: it may still do it. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "failed"; readonly error: string };

/** A request that the agent has taken and must answer. */
export interface TakenRequest {
  readonly id: string;
  readonly request: Request;
}

/** What a look at the folder gave. */
export interface TakenRequests {
  /** In the order in which they were made. */
  readonly requests: readonly TakenRequest[];
  /** What was refused or could not be done, one line each. */
  readonly problems: readonly string[];
}

/** A person waits for the answer. */
const POLL_MS = 50;

/** A request is a few hundred bytes; what is far larger is none. */
const SIZE_LIMIT_BYTES = 64 * 1024;

/** How long what nobody fetches is kept. */
const KEPT_MS = 600_000;

let askedCount = 0;

/** Asks the running agent for something and waits for its answer. Never rejects. */
export async function askAgent(folder: string, request: Request, options: AskOptions): Promise<Answer> {
  const { clock, deadlineMs, signal } = options;
  const id = requestId(request.atBootMs, Deno.pid, askedCount++);
  const path = `${folder}/${id}.json`;
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { kind: "failed", error: `Cannot make ${folder}: ${describeFileError(error, folder)}` };
  }
  const written = writeAtomically(path, renderRequest(request), { durable: false });
  if (written.kind === "failed") return written;
  const endMs = clock.monotonicMs() + deadlineMs;
  while (true) {
    const answer = maybeAnswer(`${folder}/${id}.outcome.json`);
    if (answer !== undefined) return answer;
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0 || signal?.aborted) break;
    await clock.sleep(Math.min(POLL_MS, leftMs), signal);
  }
  if (removeQuietly(path)) return { kind: "withdrawn" };
  // It may have been answered between the last look and now.
  return maybeAnswer(`${folder}/${id}.outcome.json`) ?? { kind: "unanswered" };
}

/**
 * Takes all requests that may be followed; each must be answered. Those that may not are answered here. Never
 * throws.
 */
export function takeRequests(folder: string, now: RequestMoment): TakenRequests {
  const requests: TakenRequest[] = [];
  const problems: string[] = [];
  const { ids, problem } = listRequests(folder);
  if (problem !== undefined) problems.push(problem);
  for (const id of ids) {
    try {
      const result = takeRequest(folder, id, now);
      if (typeof result !== "string") requests.push({ id, request: result });
      else {
        problems.push(`Request ${id} is refused: ${result}`);
        const answered = answerRequest(folder, id, { result: "refused", text: result, atWallMs: now.wallMs });
        if (answered.kind === "failed") problems.push(answered.error);
      }
    } catch (error) {
      // Withdrawn in this very moment, which is no problem, or a folder that cannot be written.
      if (!(error instanceof Deno.errors.NotFound)) {
        problems.push(`Cannot take request ${id}: ${describeFileError(error, folder)}`);
      }
    }
  }
  return { requests: requests.sort((a, b) => a.request.atBootMs - b.request.atBootMs), problems };
}

/** Answers a request that was taken. Never throws. */
export function answerRequest(folder: string, id: string, outcome: RequestOutcome): WriteOutcome {
  const written = writeAtomically(`${folder}/${id}.outcome.json`, renderOutcome(outcome), { durable: false });
  removeQuietly(`${folder}/${id}.taken`);
  return written;
}

/**
 * Answers what an agent took that ended before it could answer, and clears away what nobody fetched. For the
 * start of an agent, under the instance lock. Never throws.
 *
 * @returns The names of the requests that were answered
 */
export function answerAbandoned(folder: string, now: RequestMoment): readonly string[] {
  const answered: string[] = [];
  for (const name of listNames(folder).names) {
    const id = maybeId(name, ".taken");
    if (id !== undefined) {
      const text = "the agent ended before it could answer; look at `loadweir status`, then ask again";
      answerRequest(folder, id, { result: "failed", text, atWallMs: now.wallMs });
      answered.push(id);
    } else if (maybeId(name, ".json") === undefined && isOld(`${folder}/${name}`, now)) {
      removeQuietly(`${folder}/${name}`);
    }
  }
  return answered.sort();
}

/**
 * Takes one request, or says why it is refused and puts it aside.
 *
 * @throws What the file system throws
 */
function takeRequest(folder: string, id: string, now: RequestMoment): Request | string {
  const path = `${folder}/${id}.json`;
  const info = Deno.lstatSync(path);
  const request = maybeProblem(info, path) ?? readRequest(path);
  const refusal = typeof request === "string" ? request : maybeRefusal(request, now);
  Deno.renameSync(path, `${folder}/${id}.${refusal === undefined ? "taken" : "refused"}`);
  return refusal ?? request;
}

function readRequest(path: string): Request | string {
  const text = Deno.readTextFileSync(path);
  try {
    return parseRequest(text, path);
  } catch (error) {
    return messageOf(error);
  }
}

/** The folder is root's alone; a file of somebody else in it was moved there. */
function maybeProblem(info: Deno.FileInfo, path: string): string | undefined {
  if (!info.isFile) return "it is no regular file";
  if (info.size > SIZE_LIMIT_BYTES) return `it has ${info.size} bytes, expected a request`;
  return whyDistrusted(info, path);
}

/** The names of the requests that wait, oldest first. Never throws. */
export function listRequests(
  folder: string,
): { readonly ids: readonly string[]; readonly problem: string | undefined } {
  const { names, problem } = listNames(folder);
  const ids = names.map((name) => maybeId(name, ".json")).filter((id) => id !== undefined);
  return { ids: ids.sort(), problem };
}

function listNames(
  folder: string,
): { readonly names: readonly string[]; readonly problem: string | undefined } {
  try {
    return { names: [...Deno.readDirSync(folder)].map(({ name }) => name), problem: undefined };
  } catch (error) {
    // The first asker makes it.
    if (error instanceof Deno.errors.NotFound) return { names: [], problem: undefined };
    return { names: [], problem: `Cannot list ${folder}: ${describeFileError(error, folder)}` };
  }
}

/** The request that a file with this end belongs to; undefined when it is none. */
function maybeId(name: string, end: string): string | undefined {
  const id = name.slice(0, -end.length);
  return name.endsWith(end) && isRequestId(id) ? id : undefined;
}

function maybeAnswer(path: string): Answer | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    return { kind: "failed", error: `Cannot read ${path}: ${describeFileError(error, path)}` };
  }
  removeQuietly(path);
  try {
    return { kind: "answered", outcome: parseOutcome(text, path) };
  } catch (error) {
    return { kind: "failed", error: messageOf(error) };
  }
}

/** By the clock that dates files; when that was set, something is kept longer or not as long. */
function isOld(path: string, { wallMs }: RequestMoment): boolean {
  try {
    return wallMs - (Deno.lstatSync(path).mtime?.getTime() ?? wallMs) > KEPT_MS;
  } catch {
    return false;
  }
}
