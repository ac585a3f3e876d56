/**
 * What happened that is worth writing down, and how loud: INFO is logged, ALERT is also mailed.
 *
 * ```text
 * pause-web ALERT  Web paused: load 671.0 % (1-minute) over 610.0 %
 * ```
 *
 * Pausing the web and ending processes are ALERT, turning crawlers away is INFO, as in BOA's second.sh.
 */

import type { ActionName, Decision } from "../ladder/decision.ts";

/** How loud an event is. */
export type EventLevel = "ALERT" | "INFO";

/** What an event is called in the log, how loud it is and how it reads. */
interface EventKind {
  readonly level: EventLevel;
  readonly title: string;
}

/** Every event: a closed list, so that they can be counted and the kinds of one incident are few. */
export const EVENTS = {
  "crawler-block-on": { level: "INFO", title: "Crawlers blocked" },
  "crawler-block-off": { level: "INFO", title: "Crawlers served again" },
  "crawler-block-failed": { level: "INFO", title: "Crawler block could not be changed" },
  "kill-runaways": { level: "ALERT", title: "Runaways ended" },
  "kill-failed": { level: "ALERT", title: "Runaways could not all be ended" },
  "pause-web": { level: "ALERT", title: "Web paused" },
  "pause-failed": { level: "ALERT", title: "Web could not be paused completely" },
  "resume-web": { level: "INFO", title: "Web given back" },
  "resume-failing": { level: "ALERT", title: "Web does not start again, retrying" },
  "exempt-backup-iowait": { level: "INFO", title: "High load of a running backup, nothing done" },
  "no-pause-futile": { level: "INFO", title: "Web left running, an earlier pause did not lower the load" },
  "max-hold-reached": {
    level: "ALERT",
    title: "Pause reached its deadline, the web is not the cause of this load",
  },
  "load-lost-in-hold": { level: "ALERT", title: "Load unknown for a minute during a pause" },
  "config-unusable": { level: "ALERT", title: "Configuration unusable until a person mends it" },
  "config-mended": { level: "INFO", title: "Configuration can be used again" },
  "web-started-in-hold": { level: "ALERT", title: "Web started by somebody else during a pause" },
  "hold-taken-over": { level: "INFO", title: "Pause of an earlier run taken over" },
  "hold-by-hand": { level: "INFO", title: "Web paused by hand" },
  "resume-by-hand": { level: "INFO", title: "Web given back by hand" },
  "drained": { level: "ALERT", title: "Host drained" },
  "drained-for-pause": { level: "INFO", title: "Host drained for a pause of the web" },
  "drain-by-hand": { level: "INFO", title: "Host drained by hand" },
  "undrain-by-hand": { level: "INFO", title: "Host kept in by hand" },
  "returned": { level: "INFO", title: "Host takes visitors again" },
  "scaled-out": { level: "INFO", title: "Web tier scaled out" },
  "scaled-in": { level: "INFO", title: "Web tier scaled in" },
  "scaling-failed": { level: "INFO", title: "Web tier could not be scaled" },
  "hook-failed": { level: "INFO", title: "Hook failed" },
} as const satisfies Readonly<Record<string, EventKind>>;

/** Name of an event. */
export type EventName = keyof typeof EVENTS;

/** One event. */
export interface IncidentEvent {
  readonly name: EventName;
  readonly level: EventLevel;
  /** Tier of the evaluation; undefined when there was none, as for what a person did. */
  readonly tier: Decision["tier"] | undefined;
  readonly load1Percent: number | undefined;
  readonly load5Percent: number | undefined;
  /** Why the evaluation ended so; undefined when there was none. */
  readonly reason: Decision["reason"] | undefined;
  /** One line for people. */
  readonly text: string;
  /** What was done in detail, such as each process that was ended; one line each. */
  readonly details: readonly string[];
}

/** What became of one action. */
export interface ActionOutcome {
  readonly action: ActionName;
  readonly text: string;
  /** It was not done, or not completely. */
  readonly failed?: boolean | undefined;
}

/** Events of actions that went well, and of those that did not. */
const OF_ACTION: Readonly<Record<ActionName, readonly [EventName, EventName] | undefined>> = {
  "recheck": undefined,
  "crawler-block-on": ["crawler-block-on", "crawler-block-failed"],
  "crawler-block-off": ["crawler-block-off", "crawler-block-failed"],
  "kill-runaways": ["kill-runaways", "kill-failed"],
  "pause-web": ["pause-web", "pause-failed"],
  "resume-web": ["resume-web", "resume-failing"],
  "exempt-backup-iowait": ["exempt-backup-iowait", "exempt-backup-iowait"],
  "no-pause-futile": ["no-pause-futile", "no-pause-futile"],
};

/**
 * The events of one evaluation, in the order of its actions, then its alerts; none on a quiet pass. Never
 * throws.
 */
export function eventsOf(
  decision: Decision,
  outcomes: readonly ActionOutcome[],
): readonly IncidentEvent[] {
  const events: IncidentEvent[] = [];
  for (const action of decision.actions) {
    const names = OF_ACTION[action];
    if (names === undefined) continue;
    const own = outcomes.filter((outcome) => outcome.action === action);
    const name = own.some(({ failed }) => failed === true) ? names[1] : names[0];
    events.push(eventOf(name, decision, own.map(({ text }) => text)));
  }
  for (const alert of decision.alerts) events.push(eventOf(alert, decision, []));
  return events;
}

/** An event that no decision asked for, such as what a person did. Never throws. */
export function plainEvent(name: EventName, details: readonly string[]): IncidentEvent {
  return {
    name,
    level: EVENTS[name].level,
    tier: undefined,
    load1Percent: undefined,
    load5Percent: undefined,
    reason: undefined,
    text: EVENTS[name].title,
    details,
  };
}

function eventOf(name: EventName, decision: Decision, details: readonly string[]): IncidentEvent {
  const { level, title } = EVENTS[name];
  const { tier, load1Percent, load5Percent, reason } = decision;
  return {
    name,
    level,
    tier,
    load1Percent,
    load5Percent,
    reason,
    text: `${title}${whyText(decision)}`,
    details,
  };
}

/** What an event is about, as `: load 671.0 % (1-minute) over 610.0 %`, or a person; empty without a load. */
function whyText(decision: Decision): string {
  const { load1Percent, load5Percent, overPercent, iowaitPercent, actions, reason } = decision;
  if (reason === "held-by-hand" || reason === "given-back-by-hand") return " by hand";
  if (load1Percent === undefined || load5Percent === undefined) return "";
  const [percent, minutes] = load1Percent >= load5Percent ? [load1Percent, 1] : [load5Percent, 5];
  const over = overPercent === undefined ? "" : ` over ${overPercent.toFixed(1)} %`;
  const iowait = actions.includes("exempt-backup-iowait") && iowaitPercent !== undefined
    ? `, iowait ${iowaitPercent.toFixed(1)} %`
    : "";
  return `: load ${percent.toFixed(1)} % (${minutes}-minute)${over}${iowait}`;
}
