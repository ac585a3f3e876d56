/** Tells people and hooks what an armed agent does: the incident log, mails, and the hooks of this host. Never in its way. */

import type { Config } from "../../mod/config/config.ts";
import { shouldControlProcesses, shouldFanOut } from "../../mod/hooks/cadence.ts";
import type { HookName, HookPayload } from "../../mod/hooks/hook.ts";
import type { EventName, IncidentEvent } from "../../mod/incident/event.ts";
import { incidentLogPath } from "../../mod/incident/policy.ts";
import type { Decision } from "../../mod/ladder/decision.ts";
import { isDrastic } from "../../mod/ladder/tier.ts";
import type { Pass } from "../agent.ts";
import type { Clock } from "../clock.ts";
import { runCommand } from "../command.ts";
import { waitAtMost } from "../deadline.ts";
import { createHookRunner, hookFailureText, runHook } from "../hooks.ts";
import { createEvidenceCollector } from "../incident/evidence.ts";
import { readHostCalm } from "../incident/host_calm.ts";
import type { IncidentMemory } from "../incident/incident_file.ts";
import { createLineLog } from "../line_log.ts";
import { createMailQueue } from "../incident/mail_queue.ts";
import { createMailSpool } from "../incident/mail_spool.ts";
import { createMailer } from "../incident/mailer.ts";
import { createIncidentReporter } from "../incident/reporter.ts";
import type { RunScaleHook } from "../pressure/scale_hooks.ts";

/** Where mails wait that could not be sent. */
const MAIL_FOLDER = "/var/lib/loadweir/mail";

/** How long a mail program may take. */
const MAIL_DEADLINE_MS = 30_000;

/** Hooks that belong to events. */
const HOOK_OF_EVENT: Readonly<Partial<Record<EventName, HookName>>> = {
  "crawler-block-on": "spider-on",
  "crawler-block-off": "spider-off",
  "kill-runaways": "kill",
  "pause-web": "pause",
  "resume-web": "resume",
};

/** What tells. */
export interface Incidents {
  /** Takes an event; it is told with the next pass. */
  readonly note: (event: IncidentEvent) => void;
  /** Takes a pass, and tells what has been noted since the one before; whether something of it goes on. */
  readonly pass: (pass: Pass, goesOn: boolean) => void;
  /** Runs a hook of a scaling for an instance, and waits for it. Never rejects. */
  readonly runScaleHook: RunScaleHook;
  /** Waits for what is under way, or until the time is over. What goes on without us is not called resolved. */
  readonly close: (deadlineMs: number, configUnusable: boolean) => Promise<void>;
}

/** What is needed to tell. */
export interface IncidentsPorts {
  readonly clock: Clock;
  readonly config: () => Config;
  readonly profile: "generic" | "boa";
  readonly memory: IncidentMemory;
  /** What is found of pressure now, one line each: what filled the host is the first question after a pause. */
  readonly pressure: () => readonly string[];
  /** Told what could not be told. */
  readonly report: (line: string) => void;
  /** Told once what is not as it should be, until that changes; undefined when it is well again. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** Opens the log, the mails and the hooks. */
export function openIncidents(
  { clock, config, profile, memory, pressure, report, tellChange }: IncidentsPorts,
): Incidents {
  const host = Deno.hostname();
  const evidence = createEvidenceCollector({ run: runCommand, clock, pressure });
  const mails = createMailQueue({
    clock,
    send: createMailer({ run: runCommand, deadlineMs: MAIL_DEADLINE_MS }),
    spool: createMailSpool(MAIL_FOLDER),
    report,
  });
  const hooks = createHookRunner({
    run: runCommand,
    deadlineMs: config().hookDeadlineMs,
    asRoot: true,
    report(name, outcome): void {
      tellChange(`hook ${name}`, hookFailureText(name, outcome));
    },
  });
  let latest: Decision | undefined;
  const reporter = createIncidentReporter({
    clock,
    config,
    host,
    log: createLineLog(incidentLogPath(config(), profile === "boa")),
    mails,
    evidence,
    calm: () => readHostCalm(clock.monotonicMs(), profile === "boa" ? undefined : []),
    onChange: (change, incident) => hooks.start("incident", payloadOf(latest, [change], incident.id)),
    memory,
    report,
  });
  let noted: IncidentEvent[] = [];
  // What else was wrong ends with the agent, which gives everything back, and people must be told.
  let isConfigAlone = true;
  let passes = 0;

  function payloadOf(
    about: Pick<Decision | IncidentEvent, "tier" | "load1Percent" | "load5Percent" | "reason"> | undefined,
    details: readonly string[],
    incidentId?: string,
  ): HookPayload {
    return {
      wallMs: clock.wallMs(),
      host,
      tier: about?.tier,
      load1Percent: about?.load1Percent,
      load5Percent: about?.load5Percent,
      reason: about?.reason,
      details,
      incidentId: incidentId ?? reporter.incident()?.id,
    };
  }

  return {
    note(event: IncidentEvent): void {
      noted.push(event);
      if (event.level === "ALERT" && event.name !== "config-unusable") isConfigAlone = false;
      const hook = HOOK_OF_EVENT[event.name];
      if (hook !== undefined) hooks.start(hook, payloadOf(event, event.details));
    },
    pass({ decision }: Pass, goesOn: boolean): void {
      latest = decision;
      const isHot = decision.tier !== "unknown" && isDrastic(decision.tier);
      // Looked at before anything is done about it: afterwards the culprits are gone.
      if (isHot && decision.actions.includes("recheck")) evidence.capture();
      reporter.note(noted, goesOn || isHot);
      noted = [];
      if (decision.phase !== "pass") return;
      if (shouldFanOut(passes, decision.cpuCount, config())) hooks.start("fanout", payloadOf(decision, []));
      if (shouldControlProcesses(passes, decision.cpuCount, decision.tier, config())) {
        hooks.start("proc-control", payloadOf(decision, []));
      }
      passes += 1;
    },
    runScaleHook: (name, instance, deadlineMs) =>
      runHook(name, { ...payloadOf(latest, []), instance }, { run: runCommand, deadlineMs, asRoot: true }),
    async close(deadlineMs: number, configUnusable: boolean): Promise<void> {
      reporter.note(noted, configUnusable && isConfigAlone);
      await waitAtMost(deadlineMs, Promise.all([reporter.idle(), hooks.idle()]), clock);
      await waitAtMost(deadlineMs, mails.close(), clock);
    },
  };
}
