/** What people ask for by hand, while it lasts: the requests of `loadweir hold`, `resume` and `release`. */

import type { Ledger } from "../../mod/hold/ledger.ts";
import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { ByHand } from "../../mod/ladder/sample.ts";
import type { Request } from "../../mod/requests/request.ts";
import type { Clock } from "../clock.ts";
import { answerAbandoned, answerRequest, REQUESTS_PATH, takeRequests } from "../requests.ts";

/** What a person asked for, and until when. */
interface Hand {
  readonly what: ByHand;
  readonly untilBootMs: number;
}

/** Follows what people ask for. */
export interface ByHandFollower {
  /** Takes what was asked for since the last time. A hold or its opposite lasts until it expires. */
  readonly follow: () => ByHand | undefined;
  /** When what was asked for ends by itself; undefined when nothing was, or it has no end. */
  readonly endMs: () => number | undefined;
}

/** What a follower works with. */
export interface ByHandPorts {
  readonly clock: Clock;
  readonly tell: (event: IncidentEvent) => void;
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** Opens a follower on what the ledger holds, and answers what an agent before could not. */
export function openByHand(ledger: Ledger, { clock, tell, tellChange }: ByHandPorts): ByHandFollower {
  let hand = handOf(ledger);
  answerAbandoned(REQUESTS_PATH, { bootMs: clock.monotonicMs(), wallMs: clock.wallMs() });
  return {
    follow(): ByHand | undefined {
      const now = { bootMs: clock.monotonicMs(), wallMs: clock.wallMs() };
      const { requests, problems } = takeRequests(REQUESTS_PATH, now);
      tellChange("requests", problems[0]);
      for (const { id, request } of requests) {
        hand = handAfter(request, now.bootMs);
        const name = request.verb === "hold" ? "hold-by-hand" : "resume-by-hand";
        tell(plainEvent(name, [`${request.verb}: ${request.reason} (uid ${request.byUid})`]));
        answerRequest(REQUESTS_PATH, id, {
          result: "done",
          text: ANSWERS[request.verb],
          atWallMs: now.wallMs,
        });
      }
      if (hand !== undefined && now.bootMs >= hand.untilBootMs) hand = undefined;
      return hand?.what;
    },
    endMs: () => hand === undefined || hand.untilBootMs === Infinity ? undefined : hand.untilBootMs,
  };
}

const ANSWERS: Readonly<Record<Request["verb"], string>> = {
  hold: "the web is being paused",
  resume: "the web is being started, and is not paused until this expires",
  release: "everything is being given back",
};

function handAfter({ verb, expiresBootMs }: Request, nowBootMs: number): Hand {
  switch (verb) {
    case "hold":
    case "resume":
      return { what: verb, untilBootMs: expiresBootMs ?? Infinity };
    // For one pass: what is held then is let go.
    case "release":
      return { what: "resume", untilBootMs: nowBootMs + 1 };
  }
}

/** A pause by hand that an agent before left. */
function handOf({ hold }: Ledger): Hand | undefined {
  if (hold?.reason !== "by-hand" || hold.phase === "starting") return undefined;
  return { what: "hold", untilBootMs: hold.expiresBootMs ?? Infinity };
}
