/** Runs the agent armed: as a daemon, or as one pass for cron. */

import { setPriority } from "node:os";
import { messageOf } from "../../mod/errors.ts";
import { holdsNothing } from "../../mod/hold/holds_nothing.ts";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import { RELEASE_DEADLINE_MS } from "../../mod/ship/deadlines.ts";
import { STATE_FOLDER } from "../../mod/ship/places.ts";
import { type Pass, runAgent } from "../agent.ts";
import { armAgent } from "../armed/armed_agent.ts";
import { openConfigAlarm } from "../armed/config_alarm.ts";
import { openIncidents } from "../armed/incidents.ts";
import { openPressure } from "../armed/pressure.ts";
import { openProbe } from "../armed/probe.ts";
import { openServiceNotifier, readServiceEnvironment } from "../armed/service_notifier.ts";
import { openStatusPage } from "../armed/status_page.ts";
import { openStatusWriter } from "../armed/status_writer.ts";
import { keepBootId, readBootId } from "../boot.ts";
import { createHostFiles } from "../check/host_files.ts";
import { runCommand } from "../command.ts";
import { openIncidentMemory } from "../incident/incident_file.ts";
import { waitAtMost } from "../deadline.ts";
import { type Diagnostics, openDiagnostics } from "../diagnostics.ts";
import { isRoot } from "../is_root.ts";
import { JOURNAL_PATH, openJournal } from "../journal.ts";
import { describeSource } from "../source.ts";
import { openMetrics } from "../metrics/agent_metrics.ts";
import { takeLock } from "./agent_lock.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { openArmedSettings } from "./armed_settings.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { evidencePrinter } from "./evidence_printer.ts";
import { openHost } from "./host.ts";
import { maybeForeignLoad, notesOf } from "./notes.ts";
import { openBackgroundOutput } from "./output.ts";
import type { Settings } from "./settings.ts";
import { takeUnforeseen } from "./unforeseen.ts";
import { VERSION } from "./version.ts";

/** How long an end may wait for what is being told: everything is given back by then. */
const TELL_DEADLINE_MS = 5_000;

/** How long an end may wait for the last good configuration to be written. */
const KEEP_DEADLINE_MS = 5_000;

/** Remembers that people know of an unusable configuration. */
const CONFIG_ALARM_PATH = `${STATE_FOLDER}/config-unusable`;

/** The incident that is open, for the next agent. */
const INCIDENT_PATH = `${STATE_FOLDER}/incident.json`;

/** How long an end may wait for who reads what is printed. */
const OUTPUT_DEADLINE_MS = 1_000;

/** How long services that are being started after a pause still count as paused: one that never starts is no pause. */
const STARTING_MS = 60_000;

/** How often single passes, each without an incident of those before, say that the configuration is unusable. */
const SINGLE_PASS_ALARM_MS = 2 * 60 * 60_000;

/** How long a single pass waits for what it began. */
const SETTLE_DEADLINE_MS = 120_000;

/** Runs armed until it is ended, which gives everything back, or for one pass and as long as that holds something. */
export async function runArmed(args: Arguments, what: "run" | "enforce"): Promise<ExitCode> {
  if (!isRoot()) throw new UsageError(`${what} needs root: sudo loadweir ${what}`);
  // Before anything is taken up: a stop of an agent that has just started gives back as well.
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, end);
  // The settings of the start are as new as those of a signal that comes before it has ended.
  let reload = (): void => {};
  const onHangup = (): void => reload();
  Deno.addSignalListener("SIGHUP", onHangup);
  const host = await openHost(args, { whenNamedUnusable: "go-on" });
  using lock = await takeLock(what, host);
  const output = openBackgroundOutput(Deno.stdout);
  const errors = openBackgroundOutput(Deno.stderr);
  const diagnostics = await openDiagnostics((line) => errors.write(`${line}\n`));
  for (const note of notesOf(host)) diagnostics.tell(note);
  const foreignLoad = await maybeForeignLoad(host);
  if (foreignLoad !== undefined) {
    diagnostics.tell(`${foreignLoad}; pausing our web would not lower it, so no load is more than SPIDER`);
  }
  const { clock, settings: { profile } } = host;
  const alarm = openConfigAlarm(CONFIG_ALARM_PATH, {
    clock,
    toldForMs: what === "enforce" ? SINGLE_PASS_ALARM_MS : 0,
    tell,
  });
  const settings = openArmedSettings({
    settings: host.settings,
    configPath: args.value("config"),
    mayPause: foreignLoad === undefined,
    alarm,
    clock,
    tell: diagnostics.tell,
  });
  applyNiceness(host.settings, diagnostics);
  const bootId = readBootId(host.source, clock.monotonicMs(), clock.wallMs());
  diagnostics.tellChange("boot id", keepBootId(bootId, clock.monotonicMs(), clock.wallMs()));
  const notifier = openServiceNotifier({
    environment: readServiceEnvironment(),
    clock,
    run: runCommand,
    host: createHostFiles(),
    tellChange: diagnostics.tellChange,
  });
  stop.signal.addEventListener("abort", notifier.stopping);
  if (stop.signal.aborted) notifier.stopping();
  const incidents = openIncidents({
    config: settings.config,
    profile,
    clock,
    memory: openIncidentMemory(INCIDENT_PATH, bootId, diagnostics.tell),
    pressure: () => pressure.view()?.brief ?? [],
    report: diagnostics.tell,
    tellChange: diagnostics.tellChange,
  });
  const status = openStatusWriter(clock, {
    rules: settings.rules,
    ledger: () => agent.ledger(),
    verdict: () => probe.verdict(),
  });
  const page = openStatusPage({
    ...settings,
    clock,
    version: VERSION,
    source: describeSource(host.source),
    state: status.state,
  });
  const metrics = openMetrics({
    ...settings,
    clock,
    version: VERSION,
    ledger: () => agent.ledger(),
    isConfigUsable: () => !alarm.isRaised(),
    verdict: () => probe.verdict(),
    pressure: () => pressure.figures(),
    tellChange: diagnostics.tellChange,
  });
  const agent = await armAgent({
    clock,
    source: host.source,
    processes: host.processes,
    config: settings.config,
    rules: settings.rules,
    profile,
    takeOver: "hold",
    tellChange: diagnostics.tellChange,
    tell,
    canDrain: () => what === "run" && probe.isWanted(),
    onDrain: () => probe.wake(),
  });
  let webPaused = agent.start.hold !== undefined;
  let givenBackMs = clock.monotonicMs();
  function isWebDown(): boolean {
    const { hold } = agent.ledger();
    if (webPaused) return hold === undefined || !holdsNothing(hold);
    return hold !== undefined && clock.monotonicMs() - givenBackMs < STARTING_MS;
  }
  const probe = openProbe({
    clock,
    source: host.source,
    processes: host.processes,
    config: settings.config,
    sites: settings.sites,
    // A single pass that opened its doors for an instant would move balancers to and fro, once a minute.
    isLasting: () => what === "run" || isWebDown(),
    version: VERSION,
    bootId,
    webPaused: isWebDown,
    crawlerBlock: () => agent.ledger().crawlerBlock?.on ?? false,
    byHand: agent.drainByHand,
    pages: new Map([...metrics.pages, ...page.pages]),
    note: page.noteVerdict,
    tell,
    tellChange: diagnostics.tellChange,
  });
  const pressure = openPressure({
    ...settings,
    clock,
    source: host.source,
    run: runCommand,
    host: createHostFiles(),
    bootId,
    isHeld: () => isWebDown() || probe.verdict()?.phase === "drained",
    runHook: incidents.runScaleHook,
    note: page.notePressure,
    print: (line) => output.write(`${line}\n`),
    tell,
    tellChange: diagnostics.tellChange,
  });
  const journal = openJournal({ ...settings, ...diagnostics, path: JOURNAL_PATH, version: VERSION });
  function tell(event: IncidentEvent): void {
    diagnostics.tell(eventLine(event));
    status.note(event);
    metrics.note(event);
    incidents.note(event);
  }
  function isOutByChecks(): boolean {
    const verdict = probe.verdict();
    return verdict?.phase === "drained" && verdict.reason === "check-failed";
  }
  let hasFailed = false;
  /** Whatever it was: an agent that is gone must hold nothing, and whoever revives it begins anew. */
  function endOn(error: unknown): void {
    hasFailed = true;
    diagnostics.tell(`the agent ends on an error, and gives everything back: ${messageOf(error)}`);
    stop.abort();
  }
  using _unforeseen = takeUnforeseen(endOn);
  settings.begin();
  const printEvidence = evidencePrinter(host, diagnostics, output);
  ({ reload } = settings);
  // The host is out until its web is given back, also when it is a stop that gives it back.
  const probeStop = new AbortController();
  const probing = probe.run(probeStop.signal).catch(endOn);
  // One pass has no window.
  const watching = what === "run" ? pressure.run(stop.signal).catch(endOn) : undefined;
  const exporting = what === "run" ? metrics.run(probeStop.signal).catch(endOn) : undefined;
  try {
    await runAgent({
      ...agent.ports,
      execute(decision): ReturnType<typeof agent.ports.execute> {
        // The balancer hears of a pause before the first service stops.
        const begins = decision.paused && !webPaused;
        if (webPaused) givenBackMs = clock.monotonicMs();
        webPaused = decision.paused;
        if (begins) probe.wake();
        return agent.ports.execute(decision);
      },
      rules: settings.rules,
      clock,
      sampler: host.sampler,
      waiting: notifier.waiting,
      report(pass: Pass): void {
        printEvidence(pass);
        journal.note(pass);
        notifier.pass(pass);
        status.write(pass);
        page.notePass(pass);
        metrics.pass(pass);
        incidents.pass(pass, agent.ledger().hold !== undefined || alarm.isRaised() || isOutByChecks());
      },
    }, {
      start: agent.start,
      passLimit: what === "enforce" ? 1 : undefined,
      stayWhileHolding: what === "enforce",
      closeLook: false,
      signal: stop.signal,
    }).catch(endOn);
    lock.noteEnding();
    if (what === "enforce" && !stop.signal.aborted) await agent.settle(SETTLE_DEADLINE_MS);
    else {
      const released = await agent.release(RELEASE_DEADLINE_MS);
      if (released === "host-goes-down") diagnostics.tell("the host goes down: its boot starts the web");
      if (released === "held") {
        diagnostics.tell("not everything could be given back in time; the next start goes on with it");
        return EXIT.failed;
      }
    }
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.removeSignalListener(signal, end);
    Deno.removeSignalListener("SIGHUP", onHangup);
    stop.abort();
    probeStop.abort();
    await Promise.all([watching, exporting]);
    await Promise.all([probing.then(probe.close), pressure.close()]);
    status.end();
    host.processes.close();
    await Promise.all([incidents.close(TELL_DEADLINE_MS, alarm.isRaised()), journal.close()]);
    await waitAtMost(KEEP_DEADLINE_MS, settings.idle(), clock);
    await waitAtMost(TELL_DEADLINE_MS, notifier.idle(), clock);
    await Promise.all([output.close(OUTPUT_DEADLINE_MS), errors.close(OUTPUT_DEADLINE_MS)]);
  }
  return hasFailed ? EXIT.failed : EXIT.ok;
}

/** What nobody has set stays as whoever started the agent wants it: a unit has its own line for it. */
function applyNiceness({ config: { niceness }, origins }: Settings, diagnostics: Diagnostics): void {
  if (origins.some(({ field, source }) => field === "niceness" && source === "default")) return;
  try {
    setPriority(niceness);
  } catch (error) {
    diagnostics.tell(`nice value ${niceness} not set: ${messageOf(error)}`);
  }
}

function eventLine({ level, text, details }: IncidentEvent): string {
  return [`${level} ${text}`, ...details].join("; ");
}
