/**
 * What people ask for by hand, while it lasts: the requests of `loadweir hold`, `resume` and `release`, and of `drain` and
 * `undrain`.
 */

import type { Ledger, LedgerByHand, LedgerDrain } from "../../mod/hold/ledger.ts";
import { maybeLeftEndMs } from "../../mod/hold/left_end.ts";
import { type EventName, type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { ByHand } from "../../mod/ladder/sample.ts";
import { whyMissing } from "../../mod/reading.ts";
import type { ProbeByHand } from "../../mod/probe/input.ts";
import {
  maybeEndMs,
  type Request,
  type RequestOutcome,
  type RequestVerb,
} from "../../mod/requests/request.ts";
import type { Clock } from "../clock.ts";
import type { LedgerBook } from "./ledger_book.ts";
import { answerAbandoned, answerRequest, listRequests, REQUESTS_PATH, takeRequests } from "../requests.ts";

/** Follows what people ask for. */
export interface ByHandFollower {
  /** Takes what was asked for since the last time. A hold or its opposite lasts until it expires. */
  readonly follow: () => ByHand | undefined;
  /** Whether something waits that was not there when it was last taken. Never throws. */
  readonly isAsked: () => boolean;
  /** Asks that the web is kept up, as a request to resume does. */
  readonly keepUp: (untilBootMs: number, reason: string) => void;
  /** Ends a hold, because somebody has started the web since. */
  readonly endHold: () => void;
  /** When what was asked for ends by itself; undefined when nothing was, or it has no end. */
  readonly endMs: () => number | undefined;
  /** What is wanted of the balancer; undefined when nothing is. It may have ended by itself. */
  readonly drain: () => ProbeByHand | undefined;
}

/** What a follower works with. */
export interface ByHandPorts {
  readonly clock: Clock;
  readonly tell: (event: IncidentEvent) => void;
  readonly tellChange: (subject: string, line: string | undefined) => void;
  /** Whether anybody would be told that this host is out. */
  readonly canDrain: () => boolean;
  /** Told that something else is wanted of the balancer. */
  readonly onDrain: () => void;
  /** Told that a person wants the web up. */
  readonly onUp: () => void;
}

/**
 * Opens a follower on what the ledger says, and answers what an agent before could not. What is asked for is kept in the
 * ledger, so that the next agent follows it too.
 */
export function openByHand(book: LedgerBook, ports: ByHandPorts): ByHandFollower {
  const { clock, tell, tellChange, canDrain, onDrain, onUp } = ports;
  const left = book.ledger();
  let byHand = left.byHand && ofNow(left.byHand);
  let drain = left.drain && ofNow(left.drain);
  answerAbandoned(REQUESTS_PATH, { bootMs: clock.monotonicMs(), wallMs: clock.wallMs() });

  function ofNow<Asked extends LedgerByHand | LedgerDrain>(asked: Asked): Asked {
    const untilBootMs = maybeLeftEndMs(asked.untilBootMs, left.writtenBootMs, clock.monotonicMs());
    return { ...asked, untilBootMs };
  }

  function keep(change: Partial<Pick<Ledger, "byHand" | "drain">>): void {
    book.record((ledger) => ({ ...ledger, ...change })).then((written) =>
      tellChange("by hand", written.kind === "ok" ? undefined : `not kept: ${whyMissing(written)}`)
    );
  }

  function ask(next: LedgerByHand | undefined): void {
    byHand = next;
    keep({ byHand });
  }

  function askDrain(next: LedgerDrain | undefined): void {
    drain = next;
    keep({ drain });
    onDrain();
  }

  /** Does what a request asks for; gives the answer. */
  function take(request: Request, nowBootMs: number): Pick<RequestOutcome, "result" | "text"> {
    const { verb, reason } = request;
    const untilBootMs = maybeEndMs(request, nowBootMs);
    switch (verb) {
      case "hold":
      case "resume":
        ask({ what: verb, untilBootMs, reason });
        if (verb === "resume") onUp();
        break;
      case "release":
        // For one pass: what is held then is let go.
        ask({ what: "resume", untilBootMs: nowBootMs + 1, reason });
        askDrain(undefined);
        onUp();
        break;
      case "drain":
      case "undrain":
        if (!canDrain()) return { result: "refused", text: NOBODY_TOLD };
        askDrain({ wants: verb, untilBootMs, reason });
        break;
    }
    tell(plainEvent(EVENT_OF_VERB[verb], [`${verb}: ${reason || "no reason given"} (uid ${request.byUid})`]));
    return { result: "done", text: ANSWERS[verb] };
  }

  /** What could not even be taken must not bring on one pass after the other. */
  let stuck: readonly string[] = [];

  return {
    follow(): ByHand | undefined {
      const now = { bootMs: clock.monotonicMs(), wallMs: clock.wallMs() };
      const { requests, problems } = takeRequests(REQUESTS_PATH, now);
      tellChange("requests", problems[0]);
      for (const { id, request } of requests) {
        answerRequest(REQUESTS_PATH, id, { ...take(request, now.bootMs), atWallMs: now.wallMs });
      }
      if (problems.length > 0) stuck = listRequests(REQUESTS_PATH).ids;
      if (byHand?.untilBootMs !== undefined && now.bootMs >= byHand.untilBootMs) ask(undefined);
      return byHand?.what;
    },
    isAsked: () => listRequests(REQUESTS_PATH).ids.some((id) => !stuck.includes(id)),
    keepUp: (untilBootMs, reason) => ask({ what: "resume", untilBootMs, reason }),
    endHold(): void {
      if (byHand?.what === "hold") ask(undefined);
    },
    endMs: () => byHand?.untilBootMs,
    drain: () => drain && { wants: drain.wants, untilMs: drain.untilBootMs, why: drain.reason },
  };
}

const ANSWERS: Readonly<Record<RequestVerb, string>> = {
  hold: "the web is being paused",
  resume: "the web is being started, and is not paused until this expires",
  release: "everything is being given back",
  drain: "this host is being taken out",
  undrain: "this host is being put back, and stays in until this expires",
};

const EVENT_OF_VERB: Readonly<Record<RequestVerb, EventName>> = {
  hold: "hold-by-hand",
  resume: "resume-by-hand",
  release: "resume-by-hand",
  drain: "drain-by-hand",
  undrain: "undrain-by-hand",
};

const NOBODY_TOLD =
  "nobody would be told: name a site in a section [probe NAME], or an address in [outlets], and have the agent go on, as `loadweir run` does";
