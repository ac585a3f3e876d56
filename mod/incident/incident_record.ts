/**
 * An incident as text, so that the next agent goes on with it: whoever was mailed that the web is paused is also mailed
 * that it is back.
 *
 * ```json
 * {"version":1,"bootId":"6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab","incident":{"id":"20261129T193114Z","openedMs":812000,…}}
 * ```
 */

import { type JsonObject, parseJsonObject } from "../json_object.ts";
import { type EventName, EVENTS } from "./event.ts";
import type { Incident, NewsItem } from "./incident.ts";

/** An incident, and the boot that its monotonic times belong to. */
export interface IncidentRecord {
  readonly bootId: string;
  readonly incident: Incident;
}

/** The one version of the format so far. */
const RECORD_VERSION = 1;

const KEYS = {
  record: ["version", "bootId", "incident"],
  incident: [
    "id",
    "openedMs",
    "openedWallMs",
    "endedMs",
    "tier",
    "names",
    "news",
    "urgency",
    "mailCount",
    "lastMailMs",
    "wasResolved",
    "repeatGapMs",
    "unmailed",
  ],
  news: ["name", "count", "firstWallMs", "lastWallMs", "text", "details"],
} as const;

const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** A record as one line of JSON, without what is undefined. Never throws. */
export function renderIncidentRecord({ bootId, incident }: IncidentRecord): string {
  return `${JSON.stringify({ version: RECORD_VERSION, bootId, incident })}\n`;
}

/**
 * Reads a record.
 *
 * @param source Where it is from, for the error
 * @throws {ParseError} If it is cut short, of another version, or a member is missing, unknown or of the wrong kind
 */
export function parseIncidentRecord(text: string, source: string): IncidentRecord {
  const record = parseJsonObject(text, source, KEYS.record);
  if (record.count("version") !== RECORD_VERSION) record.refuse("version", `${RECORD_VERSION}`);
  return { bootId: record.text("bootId"), incident: incidentOf(record.object("incident", KEYS.incident)) };
}

function incidentOf(incident: JsonObject): Incident {
  return {
    id: incident.text("id"),
    openedMs: incident.count("openedMs"),
    openedWallMs: incident.count("openedWallMs"),
    endedMs: incident.maybe("endedMs", incident.count),
    tier: incident.word("tier", ["unknown", "normal", "spider", "max", "crit"]),
    names: incident.texts("names").map((name) =>
      EVENT_NAMES.find((known) => known === name) ?? incident.refuse("names", "names of events")
    ),
    news: incident.objects("news", KEYS.news).map(newsOf),
    urgency: incident.word("urgency", ["soon", "later", "none"]),
    mailCount: incident.count("mailCount"),
    lastMailMs: incident.count("lastMailMs"),
    wasResolved: incident.flag("wasResolved"),
    repeatGapMs: incident.count("repeatGapMs"),
    unmailed: incident.maybe("unmailed", incident.text),
  };
}

function newsOf(news: JsonObject): NewsItem {
  return {
    name: news.word("name", EVENT_NAMES),
    count: news.count("count"),
    firstWallMs: news.count("firstWallMs"),
    lastWallMs: news.count("lastWallMs"),
    text: news.text("text"),
    details: news.texts("details"),
  };
}
