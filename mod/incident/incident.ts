/** One incident: what it is, and what an event makes of it. Pure, with the times of the caller. */

import type { Tier } from "../ladder/tier.ts";
import type { EventName, IncidentEvent } from "./event.ts";

/** From a mail to the next one that says nothing new; doubled with each of these. */
const FIRST_REPEAT_GAP_MS = 15 * 60_000;

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

/**
 * What became of the incident in one evaluation, whoever is told of it: it began, perhaps again, got worse,
 * ended.
 */
export type IncidentChange = "opened" | "escalated" | "resolved";

/** When something happened. */
export interface When {
  /** Monotonic. */
  readonly nowMs: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
}

/** The incident after one event more; an ALERT opens one where there is none. Never throws. */
export function withEvent(
  incident: Incident | undefined,
  event: IncidentEvent,
  when: When,
): Incident | undefined {
  if (incident === undefined) {
    if (event.level === "INFO") return undefined;
    return withEvent(openIncident(when), event, when);
  }
  const news = withNews(incident.news, event, when.wallMs);
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

function openIncident({ nowMs, wallMs }: When): Incident {
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

/** The incident, unless it ended long ago and nothing of it is left to tell. Never throws. */
export function forgetOld(incident: Incident | undefined, nowMs: number): Incident | undefined {
  if (incident?.endedMs === undefined || incident.urgency !== "none") return incident;
  return nowMs - incident.endedMs < SAME_INCIDENT_MS ? incident : undefined;
}

/** What became of the incident: before the events of an evaluation, after them, and after its end. Never throws. */
export function changesOf(
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
