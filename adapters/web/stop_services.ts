/**
 * Stops services of the web and looks whether all of them is gone.
 *
 * Each way has a deadline and a next one: the service manager, for a unit its cgroup, a signal to the master,
 * and then to each process that is left, by pid and start time.
 */

import { type OwnService, processesOf } from "../../mod/hold/own_services.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { type Reading, whyMissing } from "../../mod/reading.ts";
import { maybeKindOfProgram, type WebKind } from "../../mod/services/web_program.ts";
import type { Clock } from "../clock.ts";
import { endProcesses, isThere, type SignalPorts } from "../signal.ts";
import { identitiesOf } from "./identities.ts";
import { runInWords } from "./command_text.ts";
import type { ServiceOutcome } from "./service_outcome.ts";
import { maybeKillCommand, maybeStopCommand } from "./service_commands.ts";
import { lookAtServices, type LookPorts, maybeServiceIn, type WebLook } from "./web_look.ts";

/** What stopping takes. */
export interface StopPorts extends LookPorts {
  readonly clock: Clock;
}

/** How long each way may take. */
export interface StopOptions {
  /** Milliseconds for `systemctl stop` or `service … stop`. Default: 20000. */
  readonly managerDeadlineMs?: number;
  /** Milliseconds from SIGTERM to a master until SIGKILL. Default: 5000. */
  readonly termMs?: number;
}

/** Debian's nginx takes up to 10 s in its own steps, and its php-fpm script asks for 30 s that nobody has. */
const MANAGER_DEADLINE_MS = 20_000;

/** systemd only sends signals here. */
const KILL_DEADLINE_MS = 5_000;

/** nginx and php-fpm end within a second of SIGTERM, and end their workers. */
const TERM_MS = 5_000;

/** From the end of a master to that of its workers. */
const WORKERS_MS = 1_000;

/** Looks for what is left, each followed by signals: a worker may be started while others are ended. */
const ROUNDS = 3;

const POLL_MS = 50;

/** Pids named in one line. */
const PIDS_SHOWN = 8;

/** Stops exactly these services, all at the same time. Never rejects. */
export async function stopServices(
  services: readonly ServiceRef[],
  ports: StopPorts,
  options: StopOptions = {},
): Promise<readonly ServiceOutcome[]> {
  const startedMs = ports.clock.monotonicMs();
  const before = await lookAtServices(ports);
  const stops = await Promise.all(services.map(async (ref): Promise<Stop> => {
    const own = maybeServiceIn(before, ref);
    const stop: Stop = {
      ref,
      known: own === undefined ? [] : [...processesOf(own)],
      steps: [],
      doneMs: startedMs,
    };
    await stopOne(stop, own, before, ports, options);
    stop.doneMs = ports.clock.monotonicMs();
    return stop;
  }));
  return await endLeft(stops, startedMs, ports);
}

/** One service on its way down. */
interface Stop {
  readonly ref: ServiceRef;
  /** All processes that were ever seen to be of it. */
  readonly known: ProcessInfo[];
  /** What was done, in words. */
  readonly steps: string[];
  /** When the last of it was done, by the monotonic clock. */
  doneMs: number;
}

async function stopOne(
  stop: Stop,
  own: OwnService | undefined,
  before: Reading<WebLook>,
  ports: StopPorts,
  { managerDeadlineMs = MANAGER_DEADLINE_MS, termMs = TERM_MS }: StopOptions,
): Promise<void> {
  const { ref, steps } = stop;
  const command = maybeStopCommand(ref, ports.host);
  const whyNot = before.kind === "ok" ? whyNotByScript(ref, before.value) : undefined;
  // A script knows a master and nothing else; a unit may be about to start again.
  const hasWork = ref.manager === "systemd" || before.kind !== "ok" || (own?.masters ?? []).length > 0;
  if (whyNot !== undefined) steps.push(whyNot);
  else if (command !== undefined && hasWork) {
    const { result, text } = await runInWords(command, ports.run, managerDeadlineMs);
    steps.push(text);
    if (ref.boundUnits !== undefined) steps.push(`systemd stops with it ${ref.boundUnits.join(", ")}`);
    if (result.timedOut) await killUnit(stop, ports);
  }
  if (ports.source.kind !== "proc-root") return;
  const { root } = ports.source;
  const masters = identitiesOf(own?.masters ?? []).filter((master) => isThere(master, root));
  if (masters.length > 0) {
    steps.push(`SIGTERM to ${pidText(masters)}`);
    const endings = await endProcesses(masters, { ...ports, root }, { termFirst: true, graceMs: termMs });
    const late = masters.filter((_, index) => endings[index] !== "ended" && endings[index] !== "gone");
    if (late.length > 0) steps.push(`${pidText(late)} did not end`);
  }
  // Workers end with their master; those without one end when they are told.
  const others = identitiesOf([...own?.masters ?? [], ...own?.workers ?? []]);
  const endMs = ports.clock.monotonicMs() + WORKERS_MS;
  while (others.some((other) => isThere(other, root)) && ports.clock.monotonicMs() < endMs) {
    await ports.clock.sleep(POLL_MS);
  }
}

/**
 * Why the script is not asked to stop a service; undefined where it is. Debian's script of php-fpm ends all
 * that runs its program, whosever it is.
 */
function whyNotByScript({ kind, manager }: ServiceRef, { foreign, unsure }: WebLook): string | undefined {
  if (manager !== "sysv") return undefined;
  const others = [...foreign.map(({ master }) => master.kind), ...unsure.map(kindOf)];
  return others.includes(kind)
    ? `its script is not run, because it could end another ${kind} that is not ours`
    : undefined;
}

function kindOf({ comm }: ProcessInfo): WebKind | undefined {
  return maybeKindOfProgram(comm);
}

async function killUnit({ ref, steps }: Stop, { run, host }: StopPorts): Promise<void> {
  const command = maybeKillCommand(ref, host);
  if (command === undefined) return;
  steps.push((await runInWords(command, run, KILL_DEADLINE_MS)).text);
}

async function signal(
  { steps }: Stop,
  processes: readonly ProcessInfo[],
  round: number,
  ports: SignalPorts,
): Promise<void> {
  const targets = identitiesOf(processes);
  const termFirst = round === 1;
  steps.push(`${termFirst ? "SIGTERM and " : ""}SIGKILL to ${pidText(targets)}`);
  await endProcesses(targets, ports, { termFirst, graceMs: WORKERS_MS });
}

/** Looks what is left of the services, ends it, and looks again. */
async function endLeft(
  stops: readonly Stop[],
  startedMs: number,
  ports: StopPorts,
): Promise<readonly ServiceOutcome[]> {
  const { source, clock } = ports;
  for (let round = 1;; round++) {
    const look = await lookAtServices(ports);
    const left = stops.map((stop) => leftOf(stop, look, ports));
    if (round > ROUNDS || left.every((processes) => processes.length === 0)) {
      return stops.map((stop, index) => outcomeOf(stop, left[index] ?? [], look, startedMs));
    }
    await Promise.all(stops.map(async (stop, index) => {
      const processes = left[index] ?? [];
      if (processes.length === 0) return;
      if (source.kind === "proc-root") await signal(stop, processes, round, { ...ports, root: source.root });
      else await killUnit(stop, ports);
      stop.doneMs = clock.monotonicMs();
    }));
  }
}

/** What of a service still runs: seen now, or known from before and still there. */
function leftOf({ ref, known }: Stop, look: Reading<WebLook>, { source }: StopPorts): readonly ProcessInfo[] {
  const own = maybeServiceIn(look, ref);
  const seen = own === undefined ? [] : processesOf(own);
  const isKnown = ({ pid, startTicks }: ProcessInfo): boolean =>
    known.some((process) => process.pid === pid && process.startTicks === startTicks);
  known.push(...seen.filter((process) => !isKnown(process)));
  if (source.kind !== "proc-root") return seen;
  return known.filter((process) =>
    identitiesOf([process]).some((identity) => isThere(identity, source.root))
  );
}

function outcomeOf(
  { ref: service, steps, doneMs }: Stop,
  left: readonly ProcessInfo[],
  look: Reading<WebLook>,
  startedMs: number,
): ServiceOutcome {
  const did = steps.length === 0 ? ["nothing of it ran"] : steps;
  const unseen = whyMissing(look);
  const end = left.length > 0
    ? [`still there: ${pidText(left)}`]
    : unseen === undefined
    ? steps.length === 0 ? [] : ["nothing of it is left"]
    : [`whether it is gone cannot be seen: ${unseen}`];
  return {
    service,
    ok: left.length === 0 && unseen === undefined,
    text: [...did, ...end].join("; "),
    tookMs: Math.round(doneMs - startedMs),
    left: left.map(({ pid }) => pid),
  };
}

function pidText(processes: readonly { readonly pid: number }[]): string {
  const shown = processes.slice(0, PIDS_SHOWN).map(({ pid }) => pid).join(", ");
  const more = processes.length - PIDS_SHOWN;
  return `pid ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}
