/**
 * What is written down of the events: each with its details, but for those that would fill the log with what
 * goes on for hours.
 */

import type { EventName, IncidentEvent } from "./event.ts";

/** What happens on every pass of a long state is written down once in this time, with its count. */
const LOG_FOLD_MS = 10 * 60_000;

/** Events that do nothing: they say on each evaluation why nothing is done. */
const FOLDED: ReadonlySet<EventName> = new Set<EventName>(["exempt-backup-iowait", "no-pause-futile"]);

/** One line for the log. */
export interface LogEntry {
  readonly wallMs: number;
  readonly level: IncidentEvent["level"];
  readonly name: EventName | "incident-opened" | "incident-resolved" | "mail-suppressed";
  /** The incident that was open; undefined when none was. */
  readonly incidentId: string | undefined;
  readonly tier: IncidentEvent["tier"];
  readonly load1Percent: number | undefined;
  readonly load5Percent: number | undefined;
  readonly text: string;
}

/** Folded events: when each was last written down, by the monotonic clock, and how often it happened since. */
export type Folded = Readonly<
  Partial<Record<EventName, { readonly loggedMs: number; readonly count: number }>>
>;

/** The events of one evaluation. */
export interface LogInput {
  /** Monotonic. */
  readonly nowMs: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  readonly events: readonly IncidentEvent[];
}

/** Writes the events of one evaluation down, the folded ones from time to time. Never throws. */
export function logEvents(
  before: Folded,
  { nowMs, wallMs, events }: LogInput,
): { readonly log: readonly LogEntry[]; readonly folded: Folded } {
  const log: LogEntry[] = [];
  const folded = { ...before };
  for (const event of events) {
    let again = "";
    if (FOLDED.has(event.name)) {
      const last = folded[event.name];
      if (last !== undefined && nowMs - last.loggedMs < LOG_FOLD_MS) {
        folded[event.name] = { ...last, count: last.count + 1 };
        continue;
      }
      if (last !== undefined && last.count > 0) again = ` (and ${last.count} times since the last line)`;
      folded[event.name] = { loggedMs: nowMs, count: 0 };
    }
    const { name, level, tier, load1Percent, load5Percent } = event;
    const entry = { wallMs, name, level, incidentId: undefined, tier, load1Percent, load5Percent };
    log.push({ ...entry, text: `${event.text}${again}` });
    for (const text of event.details) log.push({ ...entry, text });
  }
  return { log, folded };
}
