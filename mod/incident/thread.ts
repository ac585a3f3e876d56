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

import type { Tier } from "../ladder/tier.ts";
import type { EventName, IncidentEvent } from "./event.ts";
import { type Folded, type LogEntry, logEvents } from "./event_log.ts";

/** No two mails of an incident within this time. BOA's watchdogs have such a gap for the same reason. */
const MIN_GAP_MS = 60_000;

/** From a mail to the next one that says nothing new; doubled with each of these. */
const FIRST_REPEAT_GAP_MS = 15 * 60_000;

/** Twelve mails a day at most from a host that never comes to rest. */
const LONGEST_REPEAT_GAP_MS = 2 * 60 * 60_000;

/** An incident that begins again within this time of its end is the same one. */
const SAME_INCIDENT_MS = 60 * 60_000;

const RANK: Readonly<Record<Tier | "unknown", number>> = {
  unknown: 0,
  normal: 0,
  spider: 1,
  max: 2,
  crit: 3,
};

/** One kind of event since the last mail. */
export interface NewsItem {
  readonly name: EventName;
  readonly count: number;
  readonly firstWallMs: number;
  readonly lastWallMs: number;
  /** Text and details of the last one. */
  readonly text: string;
  readonly details: readonly string[];
}

/** One incident. Plain data; times are those of the caller's monotonic clock, but for those named wall. */
export interface Incident {
  /** Unique on this host, as `20261129T193114Z`. */
  readonly id: string;
  readonly openedMs: number;
  readonly openedWallMs: number;
  /** When nothing was held any more; undefined while it goes on. */
  readonly endedMs: number | undefined;
  /** Highest tier so far. */
  readonly tier: Tier | "unknown";
  /** Kinds of ALERT so far. */
  readonly names: readonly EventName[];
  /** What nobody has been told yet. */
  readonly news: readonly NewsItem[];
  /** How soon that has to be told: as soon as the gap allows, with the next summary, or not by itself. */
  readonly urgency: "soon" | "later" | "none";
  readonly mailCount: number;
  readonly lastMailMs: number;
  readonly wasResolved: boolean;
  readonly repeatGapMs: number;
  /** The reason last logged for not mailing. */
  readonly unmailed: string | undefined;
}

/** What is remembered from one call to the next. */
export interface IncidentState {
  readonly incident: Incident | undefined;
  readonly folded: Folded;
}

/** Nothing happened yet. */
export const NO_INCIDENT: IncidentState = { incident: undefined, folded: {} };

/** One evaluation, or one look in between. */
export interface IncidentInput {
  /** Monotonic. */
  readonly nowMs: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
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

/**
 * What became of the incident in one evaluation, whoever is told of it: it began, perhaps again, got worse,
 * ended.
 */
export type IncidentChange = "opened" | "escalated" | "resolved";

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

function changesOf(
  before: Incident | undefined,
  during: Incident | undefined,
  after: Incident | undefined,
): readonly IncidentChange[] {
  const changes: IncidentChange[] = [];
  if (during === undefined) return changes;
  if (before === undefined || (before.endedMs !== undefined && during.endedMs === undefined)) {
    changes.push("opened");
  } else if (before.tier !== during.tier || before.names.length !== during.names.length) {
    changes.push("escalated");
  }
  if (during.endedMs === undefined && after?.endedMs !== undefined) changes.push("resolved");
  return changes;
}

/** The incident, unless it ended long ago and nothing of it is left to tell. */
function forgetOld(incident: Incident | undefined, nowMs: number): Incident | undefined {
  if (incident?.endedMs === undefined || incident.urgency !== "none") return incident;
  return nowMs - incident.endedMs < SAME_INCIDENT_MS ? incident : undefined;
}

function withEvent(
  incident: Incident | undefined,
  event: IncidentEvent,
  input: IncidentInput,
): Incident | undefined {
  if (incident === undefined) {
    if (event.level === "INFO") return undefined;
    return withEvent(openIncident(input), event, input);
  }
  const news = withNews(incident.news, event, input.wallMs);
  if (event.level === "INFO") {
    // That the web is back is told also where the incident goes on about something else, as its configuration.
    const isReturn = event.name === "resume-web" && incident.endedMs === undefined;
    return {
      ...incident,
      news,
      urgency: isReturn && incident.urgency === "none" ? "later" : incident.urgency,
    };
  }
  const tier = event.tier ?? "unknown";
  const isWorse = RANK[tier] > RANK[incident.tier] || !incident.names.includes(event.name);
  return {
    ...incident,
    news,
    endedMs: undefined,
    tier: RANK[tier] > RANK[incident.tier] ? tier : incident.tier,
    names: incident.names.includes(event.name) ? incident.names : [...incident.names, event.name],
    urgency: isWorse || incident.urgency === "soon" ? "soon" : "later",
  };
}

function openIncident({ nowMs, wallMs }: IncidentInput): Incident {
  return {
    id: new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, ""),
    openedMs: nowMs,
    openedWallMs: wallMs,
    endedMs: undefined,
    tier: "unknown",
    names: [],
    news: [],
    urgency: "soon",
    mailCount: 0,
    lastMailMs: nowMs,
    wasResolved: false,
    repeatGapMs: FIRST_REPEAT_GAP_MS,
    unmailed: undefined,
  };
}

/** The news with one event more; one of a kind that is there already only counts. */
function withNews(news: readonly NewsItem[], event: IncidentEvent, wallMs: number): readonly NewsItem[] {
  const { name, text, details } = event;
  const known = news.find((item) => item.name === name);
  const item = {
    name,
    text,
    details,
    count: (known?.count ?? 0) + 1,
    firstWallMs: known?.firstWallMs ?? wallMs,
    lastWallMs: wallMs,
  };
  return known === undefined ? [...news, item] : news.map((old) => old === known ? item : old);
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
