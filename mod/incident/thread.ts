/**
 * Incidents: which events belong together, and when somebody is told.
 *
 * An incident begins with the first ALERT, gets worse when the tier rises or something new goes wrong, and
 * ends when nothing is held any more and the configuration can be used. One that begins again within an hour
 * is the same one, so that a host that goes up and down all day is one thread of a few mails:
 *
 *     19:31:14  opened     Web paused
 *     19:32:14  escalated  Runaways ended               a minute after the mail before at the earliest
 *     19:40:02  resolved   after 8 m 48 s
 *     19:55:02  goes on    Web paused (3 times)         after 15 minutes, then 30, up to 2 hours
 *
 * There is no clock here: each call says what time it is, and mails that have to wait come out of a later
 * call.
 */

import type { IncidentEvent } from "./event.ts";
import { type Folded, type LogEntry, logEvents } from "./event_log.ts";
import {
  changesOf,
  forgetOld,
  type Incident,
  type IncidentChange,
  type NewsItem,
  type When,
  withEvent,
} from "./incident.ts";

/** No two mails of an incident within this time. BOA's watchdogs have such a gap for the same reason. */
const MIN_GAP_MS = 60_000;

/** Twelve mails a day at most from a host that never comes to rest. */
const LONGEST_REPEAT_GAP_MS = 2 * 60 * 60_000;

/** What is remembered from one call to the next. */
export interface IncidentState {
  readonly incident: Incident | undefined;
  readonly folded: Folded;
}

/** Nothing happened yet. */
export const NO_INCIDENT: IncidentState = { incident: undefined, folded: {} };

/** One evaluation, or one look in between. */
export interface IncidentInput extends When {
  readonly events: readonly IncidentEvent[];
  /** Whether something is held or cannot be given back, the load is drastic, or the configuration unusable. */
  readonly ongoing: boolean;
  /** Why nothing may be mailed now; undefined when it may. */
  readonly unmailed: string | undefined;
}

/** What a mail is about. */
export interface IncidentMail {
  readonly kind: "opened" | "escalated" | "goes-on" | "resolved";
  readonly incidentId: string;
  /** From 1, within the incident. */
  readonly number: number;
  readonly openedWallMs: number;
  readonly wallMs: number;
  /** From the first ALERT to the end, or until now. */
  readonly durationMs: number;
  readonly tier: Incident["tier"];
  readonly news: readonly NewsItem[];
}

/** What to write down and what to mail. */
export interface IncidentResult {
  readonly state: IncidentState;
  readonly log: readonly LogEntry[];
  readonly changes: readonly IncidentChange[];
  readonly mail: IncidentMail | undefined;
}

/**
 * Takes in what one evaluation brought; call it on each, also without events: mails may be waiting. Never
 * throws.
 */
export function advanceIncident(state: IncidentState, input: IncidentInput): IncidentResult {
  const { log: eventLog, folded } = logEvents(state.folded, input);
  const log: LogEntry[] = [...eventLog];
  const before = forgetOld(state.incident, input.nowMs);
  const during = input.events.reduce((incident, event) => withEvent(incident, event, input), before);
  if (during !== undefined && before === undefined) log.push(entryOf("incident-opened", during, input, ""));
  const after = withEnd(during, input, log);
  const { incident, mail } = tell(after, input, log);
  return {
    state: { incident, folded },
    log: log.map((entry) => withIncident(entry, incident)),
    changes: changesOf(before, during, after),
    mail,
  };
}

/** Ends the incident once nothing goes on any more. */
function withEnd(
  incident: Incident | undefined,
  input: IncidentInput,
  log: LogEntry[],
): Incident | undefined {
  if (incident === undefined || incident.endedMs !== undefined || input.ongoing) return incident;
  const durationMs = input.nowMs - incident.openedMs;
  log.push(entryOf("incident-resolved", incident, input, `duration_s=${Math.round(durationMs / 1000)}`));
  return {
    ...incident,
    endedMs: input.nowMs,
    urgency: incident.wasResolved && incident.urgency !== "soon" ? "later" : "soon",
    wasResolved: true,
  };
}

/** Tells what has to be told, when its time has come and it may be mailed. */
function tell(
  incident: Incident | undefined,
  { nowMs, wallMs, unmailed }: IncidentInput,
  log: LogEntry[],
): { readonly incident: Incident | undefined; readonly mail: IncidentMail | undefined } {
  if (incident === undefined || incident.urgency === "none") return { incident, mail: undefined };
  const { endedMs, mailCount, urgency } = incident;
  const gapMs = urgency === "soon" ? MIN_GAP_MS : incident.repeatGapMs;
  if (mailCount > 0 && nowMs - incident.lastMailMs < gapMs) return { incident, mail: undefined };
  if (unmailed !== undefined) {
    if (incident.unmailed !== unmailed) {
      log.push(entryOf("mail-suppressed", incident, { wallMs }, `Not mailed: ${unmailed}`));
    }
    // What is over needs no telling later on; what goes on is told once it may be.
    const urgencyLeft = endedMs === undefined ? urgency : "none";
    return { incident: { ...incident, unmailed, urgency: urgencyLeft }, mail: undefined };
  }
  // Nobody was told of it while it went on, because nothing could be mailed.
  if (mailCount === 0 && endedMs !== undefined && incident.unmailed !== undefined) {
    return { incident: { ...incident, urgency: "none", news: [] }, mail: undefined };
  }
  const mail: IncidentMail = {
    kind: endedMs !== undefined
      ? "resolved"
      : mailCount === 0
      ? "opened"
      : urgency === "soon"
      ? "escalated"
      : "goes-on",
    incidentId: incident.id,
    number: mailCount + 1,
    openedWallMs: incident.openedWallMs,
    wallMs,
    durationMs: (endedMs ?? nowMs) - incident.openedMs,
    tier: incident.tier,
    news: incident.news,
  };
  return {
    incident: {
      ...incident,
      news: [],
      urgency: "none",
      mailCount: mailCount + 1,
      lastMailMs: nowMs,
      repeatGapMs: urgency === "later"
        ? Math.min(2 * incident.repeatGapMs, LONGEST_REPEAT_GAP_MS)
        : incident.repeatGapMs,
      unmailed: undefined,
    },
    mail,
  };
}

function entryOf(
  name: LogEntry["name"],
  { id, tier }: Incident,
  { wallMs }: Pick<IncidentInput, "wallMs">,
  text: string,
): LogEntry {
  const loads = { load1Percent: undefined, load5Percent: undefined };
  return { wallMs, name, level: "INFO", incidentId: id, tier, ...loads, text };
}

/** A line with the incident that it belongs to. */
function withIncident(entry: LogEntry, incident: Incident | undefined): LogEntry {
  return entry.incidentId === undefined && incident !== undefined && incident.endedMs === undefined
    ? { ...entry, incidentId: incident.id }
    : entry;
}
