/**
 * Sends mails in the background, one at a time, for as long as it takes.
 *
 * A mail is on disk from when it is handed in until a mail program took it, so that neither a mailer that
 * hangs nor an agent that is killed loses it. Where the disk is full it is kept in memory alone.
 */

import { messageOf } from "../../mod/errors.ts";
import type { Mail } from "../../mod/incident/mail.ts";
import { durationText } from "../../mod/report/duration.ts";
import type { Clock } from "../clock.ts";
import type { MailOutcome, SendMail } from "./mailer.ts";
import type { MailSpool } from "./mail_spool.ts";

/** What a queue works with. */
export interface MailQueuePorts {
  readonly clock: Pick<Clock, "sleep" | "wallMs">;
  readonly send: SendMail;
  readonly spool: MailSpool;
  /** Told what became of mails, one line each. */
  readonly report: (line: string) => void;
}

/** Mails on their way. Nothing here throws or rejects. */
export interface MailQueue {
  /** Takes a mail and returns at once. */
  readonly enqueue: (mail: Mail) => void;
  /** Settles when every mail is sent or waits for its next attempt. */
  readonly idle: () => Promise<void>;
  /**
   * Begins no attempt any more, and settles when the running one, if any, has ended. What is left stays on
   * disk.
   */
  readonly close: () => Promise<void>;
}

/** A mail program that is broken for a while, as one that is being upgraded, is tried again soon. */
const FIRST_DELAY_MS = 60_000;

/** A mail server that is down for days costs one attempt an hour. */
const LONGEST_DELAY_MS = 60 * 60_000;

/** What nobody could be told for three days is no news; the log has it. */
const AGE_LIMIT_MS = 3 * 24 * 60 * 60_000;

/**
 * Mails that wait. An incident makes a dozen a day at most, so this is days of a mail system that is down.
 */
const COUNT_LIMIT = 50;

/** A mail on its way. */
interface Waiting {
  readonly mail: Mail;
  /** What kept it from being written to disk, or undefined. */
  saved: Promise<string | undefined>;
  hasFailed: boolean;
}

function isFresh({ hasFailed }: Waiting): boolean {
  return !hasFailed;
}

/** A queue that begins with what an earlier run left on disk. */
export function createMailQueue(ports: MailQueuePorts): MailQueue {
  const { clock, send, spool, report } = ports;
  const closing = new AbortController();
  let waiting: readonly Waiting[] = [];
  /** Aborted when there is something new. */
  let wake = new AbortController();
  let resting = Promise.withResolvers<void>();
  let isBusy = true;
  const ended = work();

  async function work(): Promise<void> {
    const left = await spool.load();
    const isNew = ({ messageId }: Mail): boolean => waiting.every(({ mail }) => mail.messageId !== messageId);
    waiting = [
      ...left.filter(isNew).map((mail) => ({ mail, saved: Promise.resolve(undefined), hasFailed: true })),
      ...waiting,
    ];
    let delayMs = 0;
    while (!closing.signal.aborted) {
      wake = new AbortController();
      delayMs = await sendAll(delayMs);
      await Promise.all(waiting.map(({ saved }) => saved));
      await rest(waiting.length === 0 ? undefined : delayMs);
    }
    resting.resolve();
  }

  /** Waits for the next attempt, or until there is something new. */
  async function rest(delayMs: number | undefined): Promise<void> {
    // One signal for both: a combined one is not kept alive by those who wait for it.
    const { signal } = wake;
    if (!signal.aborted && !closing.signal.aborted) {
      isBusy = false;
      resting.resolve();
      if (delayMs !== undefined) await clock.sleep(delayMs, signal);
      else await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }
    beBusy();
  }

  function beBusy(): void {
    if (isBusy) return;
    isBusy = true;
    resting = Promise.withResolvers();
  }

  /**
   * Sends one mail after the other until one fails.
   *
   * @returns How long to wait then; 0 when all are sent
   */
  async function sendAll(lastDelayMs: number): Promise<number> {
    while (!closing.signal.aborted) {
      await dropTooMany();
      const [first] = waiting;
      if (first === undefined) return 0;
      const { subject, wallMs } = first.mail;
      const outcome = await attempt(first);
      if (outcome.kind === "sent") {
        await drop(first);
        report(`mail sent with ${outcome.program}: ${subject}`);
        lastDelayMs = 0;
        continue;
      }
      if (clock.wallMs() - wallMs > AGE_LIMIT_MS) {
        await drop(first);
        report(`mail given up after ${durationText(AGE_LIMIT_MS)}: ${subject}: ${outcome.error}`);
        continue;
      }
      const delayMs = lastDelayMs === 0 ? FIRST_DELAY_MS : Math.min(2 * lastDelayMs, LONGEST_DELAY_MS);
      report(`mail not sent, again in ${durationText(delayMs)}: ${subject}: ${outcome.error}`);
      // Another one is first next time: it may be this mail alone that is refused.
      first.hasFailed = true;
      waiting = [...waiting.filter((entry) => entry !== first), first];
      return delayMs;
    }
    return lastDelayMs;
  }

  async function attempt(entry: Waiting): Promise<MailOutcome> {
    const problem = await entry.saved;
    const outcome = await sendSafely(entry.mail);
    if (outcome.kind === "sent" || problem === undefined) return outcome;
    entry.saved = save(entry.mail);
    await entry.saved;
    return outcome;
  }

  async function sendSafely(mail: Mail): Promise<MailOutcome> {
    try {
      return await send(mail);
    } catch (error) {
      return { kind: "failed", error: messageOf(error) };
    }
  }

  async function save(mail: Mail): Promise<string | undefined> {
    const problem = await spool.save(mail);
    if (problem !== undefined) report(problem);
    return problem;
  }

  async function drop(entry: Waiting): Promise<void> {
    waiting = waiting.filter((other) => other !== entry);
    if (await entry.saved !== undefined) return;
    const problem = await spool.remove(entry.mail);
    if (problem !== undefined) report(problem);
  }

  /** Keeps the newest: they say how things stand. */
  async function dropTooMany(): Promise<void> {
    while (waiting.length > COUNT_LIMIT) {
      const oldest = waiting.reduce((a, b) => b.mail.wallMs < a.mail.wallMs ? b : a);
      await drop(oldest);
      report(`mail dropped, more than ${COUNT_LIMIT} are waiting: ${oldest.mail.subject}`);
    }
  }

  return {
    enqueue(mail: Mail): void {
      if (waiting.some((entry) => entry.mail.messageId === mail.messageId)) return;
      const entry = { mail, saved: save(mail), hasFailed: false };
      waiting = [...waiting.filter(isFresh), entry, ...waiting.filter((other) => !isFresh(other))];
      if (closing.signal.aborted) return;
      beBusy();
      wake.abort();
    },
    idle: () => resting.promise,
    async close(): Promise<void> {
      closing.abort();
      wake.abort();
      await ended;
      await Promise.all(waiting.map(({ saved }) => saved));
    },
  };
}
