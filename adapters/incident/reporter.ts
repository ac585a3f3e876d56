/**
 * Tells people: takes in what each evaluation brought, writes the log, and mails what has to be mailed.
 *
 * The loop hands events over and goes on at once; files, programs and mails are waited for here, in the
 * background.
 */

import type { Config } from "../../mod/config/config.ts";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import type { Incident, IncidentChange } from "../../mod/incident/incident.ts";
import { renderLogLine } from "../../mod/incident/log_line.ts";
import { renderMail } from "../../mod/incident/mail.ts";
import { type HostCalm, type MailPolicy, whyNotMailed } from "../../mod/incident/policy.ts";
import {
  advanceIncident,
  type IncidentMail,
  type IncidentState,
  NO_INCIDENT,
} from "../../mod/incident/thread.ts";
import type { Clock } from "../clock.ts";
import type { EvidenceCollector } from "./evidence.ts";
import type { IncidentMemory } from "./incident_file.ts";
import type { LineLog } from "../line_log.ts";
import type { MailQueue } from "./mail_queue.ts";

/** What a reporter works with. */
export interface IncidentReporterPorts {
  readonly clock: Pick<Clock, "monotonicMs" | "wallMs">;
  /** The configuration as it is now: it may be changed while the agent runs. */
  readonly config: () => MailPolicy & Pick<Config, "incidentAttach">;
  readonly host: string;
  readonly log: LineLog;
  readonly mails: Pick<MailQueue, "enqueue">;
  readonly evidence: EvidenceCollector;
  /** Whether the host has settled; asked only when something has to be mailed. */
  readonly calm: () => Promise<HostCalm>;
  /** Where the incident is kept for the next agent. */
  readonly memory: IncidentMemory;
  /**
   * Told when an incident begins, gets worse or ends, whether that is mailed or not: for the hook `incident`.
   */
  readonly onChange?: (change: IncidentChange, incident: Incident) => void;
  /** Told what could not be written. */
  readonly report: (line: string) => void;
}

/** Tells people what happens. Nothing here throws or rejects. */
export interface IncidentReporter {
  /**
   * Takes one evaluation in and returns at once; call it on each, also without events.
   *
   * @param ongoing Whether something is held or cannot be given back, the load is drastic, or the configuration
   * unusable
   */
  readonly note: (events: readonly IncidentEvent[], ongoing: boolean) => void;
  /** The incident that is open, as far as what was noted has been worked on. */
  readonly incident: () => Incident | undefined;
  /** Settles when all that was noted is written down and handed to the mails. */
  readonly idle: () => Promise<void>;
}

/** BOA mails as much of the log. */
const LOG_LINES = 200;

/** A reporter that goes on with the incident that an agent before left. */
export function createIncidentReporter(ports: IncidentReporterPorts): IncidentReporter {
  const { clock, config, host, log, mails, evidence, calm, memory, onChange, report } = ports;
  let state: IncidentState = { ...NO_INCIDENT, incident: memory.left };
  let written: Promise<void> = Promise.resolve();
  let mailed: Promise<void> = Promise.resolve();
  let lastFailure: string | undefined;

  async function work(
    events: readonly IncidentEvent[],
    ongoing: boolean,
    nowMs: number,
    wallMs: number,
  ): Promise<void> {
    const mayMail = events.some(({ level }) => level === "ALERT") || state.incident !== undefined;
    const unmailed = mayMail ? whyNotMailed(config(), await calm()) : undefined;
    const result = advanceIncident(state, { nowMs, wallMs, events, ongoing, unmailed });
    if (result.state.incident !== state.incident) memory.keep(result.state.incident);
    state = result.state;
    for (const change of result.changes) if (state.incident) onChange?.(change, state.incident);
    const outcome = await log.append(result.log.map(renderLogLine));
    reportFailure(outcome.kind === "failed" ? outcome.error : undefined);
    const { mail } = result;
    if (mail === undefined) return;
    mailed = mailed.then(() => handOver(mail)).catch((error) => report(`mail not made: ${error}`));
  }

  async function handOver(mail: IncidentMail): Promise<void> {
    const { incidentAttach, incidentEmail } = config();
    // A mail without evidence is better than none.
    const sections = await evidence.take(incidentAttach).catch(() => []);
    const lines = await log.tail(LOG_LINES);
    const logSection = { title: `last ${LOG_LINES} lines of the log`, lines };
    mails.enqueue(renderMail(mail, { to: incidentEmail, host, sections: [...sections, logSection] }));
  }

  /** A disk that is full is reported once, not on every pass. */
  function reportFailure(failure: string | undefined): void {
    if (failure !== undefined && failure !== lastFailure) report(failure);
    lastFailure = failure;
  }

  return {
    note(events: readonly IncidentEvent[], ongoing: boolean): void {
      if (events.length === 0 && state.incident === undefined) return;
      const nowMs = clock.monotonicMs();
      const wallMs = clock.wallMs();
      written = written
        .then(() => work(events, ongoing, nowMs, wallMs))
        .catch((error) => report(`incident not written down: ${error}`));
    },
    incident: () => state.incident,
    async idle(): Promise<void> {
      await written;
      await mailed;
    },
  };
}
