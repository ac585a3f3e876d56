/**
 * The mail about an incident, as plain text.
 *
 * ```text
 * Subject: [loadweir] web-1: Web paused: load 671.0 % (1-minute) over 610.0 %
 *
 * Web paused: load 671.0 % (1-minute) over 610.0 %
 *
 * incident   20261129T193114Z on web-1, mail 1
 * began      2026-11-29T19:31:14Z, 0 s ago
 * tier       MAX
 * ```
 *
 * What others wrote, a host's name or a command line, is made one line without control characters: none of it
 * can become a header.
 */

import { EVENTS } from "./event.ts";
import { durationText } from "../report/duration.ts";
import { timestamp } from "../report/timestamp.ts";
import { printable } from "../report/printable.ts";
import type { NewsItem } from "./incident.ts";
import type { IncidentMail } from "./thread.ts";

/** A part of the body with a heading: processes, CPU figures, the end of the log. */
export interface MailSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A mail, not yet in the form that any mail program wants. */
export interface Mail {
  /** An address; it was checked with the configuration. */
  readonly to: string;
  /** One line without control characters. */
  readonly subject: string;
  /** Without the angle brackets. */
  readonly messageId: string;
  /** The first mail of the thread; undefined for that one itself. */
  readonly inReplyTo: string | undefined;
  readonly wallMs: number;
  /** Lines end with `\n`; none begins with `~`, which interactive mail programs take for a command. */
  readonly text: string;
}

/** What a mail is made of, beside the incident. */
export interface MailContext {
  readonly to: string;
  /** Name of this host, whatever it holds. */
  readonly host: string;
  readonly sections: readonly MailSection[];
}

/** Longer subjects are cut by mail programs anyway, and RFC 5322 wants lines of less than 998. */
const SUBJECT_LIMIT = 150;

/** A process list of 15 lines and 200 lines of log fit; a section that runs wild does not fill a mailbox. */
const SECTION_LINES = 200;

/** Each line, in characters; RFC 5322 allows 998 bytes, and a character may be four. */
const LINE_LIMIT = 240;

/** What is done in detail, of one kind of event: the victims of one kill. */
const DETAIL_LINES = 20;

/** Renders a mail. Never throws. */
export function renderMail(mail: IncidentMail, { to, host, sections }: MailContext): Mail {
  const name = printable(host);
  const idHost = name.replace(/[^\w.-]/g, "") || "localhost";
  const headline = headlineOf(mail);
  return {
    to,
    subject: oneLine(`[loadweir] ${name}: ${headline}`, SUBJECT_LIMIT),
    messageId: messageIdOf(mail, mail.number, idHost),
    inReplyTo: mail.number === 1 ? undefined : messageIdOf(mail, 1, idHost),
    wallMs: mail.wallMs,
    text: [
      headline,
      "",
      `incident   ${mail.incidentId} on ${name}, mail ${mail.number}`,
      `began      ${timestamp(mail.openedWallMs)}, ${beganText(mail)}`,
      `tier       ${mail.tier.toUpperCase()}`,
      ...mail.news.flatMap(newsLines),
      ...sections.flatMap(sectionLines),
      "",
    ].map((line) => bodyLine(line)).join("\n"),
  };
}

/** What a person has to know, in one line. */
function headlineOf({ kind, news, durationMs }: IncidentMail): string {
  const alerts = news.filter(({ name }) => EVENTS[name].level === "ALERT");
  const last = (alerts.at(-1) ?? news.at(-1))?.text ?? "Nothing new";
  switch (kind) {
    case "opened":
      return alerts.map(({ text }) => text).join("; ");
    case "escalated":
      return `Worse: ${last}`;
    case "goes-on":
      return `Goes on: ${last}${countText(alerts.at(-1)?.count ?? 1)}`;
    case "resolved":
      return `Resolved after ${durationText(durationMs)}${alerts.length === 0 ? "" : `: ${last}`}`;
  }
}

function beganText({ kind, durationMs }: IncidentMail): string {
  return kind === "resolved" ? `ended after ${durationText(durationMs)}` : `${durationText(durationMs)} ago`;
}

function newsLines({ text, count, firstWallMs, lastWallMs, details }: NewsItem): readonly string[] {
  const when = count === 1
    ? timestamp(lastWallMs)
    : `${timestamp(firstWallMs)} to ${timestamp(lastWallMs)}${countText(count)}`;
  return ["", `${when}  ${text}`, ...bounded(details, DETAIL_LINES).map((line) => `  ${line}`)];
}

function countText(count: number): string {
  return count === 1 ? "" : ` (${count} times)`;
}

function sectionLines({ title, lines }: MailSection): readonly string[] {
  return ["", `--- ${title} ---`, ...bounded(lines, SECTION_LINES)];
}

/** The first lines, and how many there would have been. */
function bounded(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), `… and ${lines.length - limit} more`];
}

function messageIdOf({ incidentId }: IncidentMail, number: number, host: string): string {
  return `loadweir.${incidentId}.${number}@${host}`;
}

function bodyLine(line: string): string {
  const short = oneLine(line, LINE_LIMIT);
  return short.startsWith("~") ? ` ${short}` : short;
}

/** A text on one line without control characters, cut at a length and never within a character. */
function oneLine(text: string, limit: number): string {
  const characters = [...text];
  const short = characters.length > limit ? `${characters.slice(0, limit - 1).join("")}…` : text;
  // deno-lint-ignore no-control-regex
  return short.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
    .toWellFormed();
}
