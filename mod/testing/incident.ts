/** Events and mails for tests. */

import { type EventName, EVENTS, type IncidentEvent } from "../incident/event.ts";
import type { Mail } from "../incident/mail.ts";

/** When incidents of tests begin: 2026-11-29T19:31:14Z. */
export const INCIDENT_WALL_MS = 1_795_980_674_000;

/** An event as the ladder gives it. */
export function incidentEvent(
  name: EventName,
  tier: IncidentEvent["tier"] = "max",
  details: readonly string[] = [],
): IncidentEvent {
  const { level, title } = EVENTS[name];
  return {
    name,
    level,
    tier,
    load1Percent: 671,
    load5Percent: 455,
    reason: "confirmed",
    text: title,
    details,
  };
}

/** A mail; the number is part of its id. */
export function testMail(number: number, changes: Partial<Mail> = {}): Mail {
  return {
    to: "admin@example.org",
    subject: `[loadweir] web-1: mail ${number}`,
    messageId: `loadweir.20261129T193114Z.${number}@web-1`,
    inReplyTo: number === 1 ? undefined : "loadweir.20261129T193114Z.1@web-1",
    wallMs: INCIDENT_WALL_MS + number * 1000,
    text: `Text of mail ${number}\n`,
    ...changes,
  };
}
