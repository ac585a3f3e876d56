/** What people ask for by hand, while it lasts: the requests of `loadweir hold`, `resume` and `release`. */

import type { LedgerByHand } from "../../mod/hold/ledger.ts";
import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { ByHand } from "../../mod/ladder/sample.ts";
import { whyMissing } from "../../mod/reading.ts";
import type { Request } from "../../mod/requests/request.ts";
import type { Clock } from "../clock.ts";
import type { LedgerBook } from "./ledger_book.ts";
import { answerAbandoned, answerRequest, REQUESTS_PATH, takeRequests } from "../requests.ts";

/** Follows what people ask for. */
export interface ByHandFollower {
  /** Takes what was asked for since the last time. A hold or its opposite lasts until it expires. */
  readonly follow: () => ByHand | undefined;
  /** Asks that the web is kept up, as a request to resume does. */
  readonly keepUp: (untilBootMs: number, reason: string) => void;
  /** Ends a hold, because somebody has started the web since. */
  readonly endHold: () => void;
  /** When what was asked for ends by itself; undefined when nothing was, or it has no end. */
  readonly endMs: () => number | undefined;
}

/** What a follower works with. */
export interface ByHandPorts {
  readonly clock: Clock;
  readonly tell: (event: IncidentEvent) => void;
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/**
 * Opens a follower on what the ledger says, and answers what an agent before could not. What is asked for is kept in the
 * ledger, so that the next agent follows it too.
 */
export function openByHand(book: LedgerBook, { clock, tell, tellChange }: ByHandPorts): ByHandFollower {
  let { byHand } = book.ledger();
  answerAbandoned(REQUESTS_PATH, { bootMs: clock.monotonicMs(), wallMs: clock.wallMs() });

  function ask(next: LedgerByHand | undefined): void {
    byHand = next;
    book.record((ledger) => ({ ...ledger, byHand: next })).then((written) =>
      tellChange("by hand", written.kind === "ok" ? undefined : `not kept: ${whyMissing(written)}`)
    );
  }

  return {
    follow(): ByHand | undefined {
      const now = { bootMs: clock.monotonicMs(), wallMs: clock.wallMs() };
      const { requests, problems } = takeRequests(REQUESTS_PATH, now);
      tellChange("requests", problems[0]);
      for (const { id, request } of requests) {
        ask(askedBy(request, now.bootMs));
        const name = request.verb === "hold" ? "hold-by-hand" : "resume-by-hand";
        tell(plainEvent(name, [`${request.verb}: ${request.reason} (uid ${request.byUid})`]));
        answerRequest(REQUESTS_PATH, id, {
          result: "done",
          text: ANSWERS[request.verb],
          atWallMs: now.wallMs,
        });
      }
      if (byHand?.untilBootMs !== undefined && now.bootMs >= byHand.untilBootMs) ask(undefined);
      return byHand?.what;
    },
    keepUp: (untilBootMs, reason) => ask({ what: "resume", untilBootMs, reason }),
    endHold(): void {
      if (byHand?.what === "hold") ask(undefined);
    },
    endMs: () => byHand?.untilBootMs,
  };
}

const ANSWERS: Readonly<Record<Request["verb"], string>> = {
  hold: "the web is being paused",
  resume: "the web is being started, and is not paused until this expires",
  release: "everything is being given back",
};

function askedBy({ verb, expiresBootMs, reason }: Request, nowBootMs: number): LedgerByHand {
  switch (verb) {
    case "hold":
    case "resume":
      return { what: verb, untilBootMs: expiresBootMs, reason };
    // For one pass: what is held then is let go.
    case "release":
      return { what: "resume", untilBootMs: nowBootMs + 1, reason };
  }
}
