/**
 * Starts services of the web and looks whether they serve.
 *
 * php-fpm comes first, so that nginx finds whom to ask; a php-fpm that is broken keeps nobody else down. The
 * configuration is tested before, so that it can be said why a service does not start. What the test says keeps nothing
 * down: the service is down already, and may do what the one who tests it may not.
 */

import { type OwnService, processesOf } from "../../mod/hold/own_services.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { parsePidStat } from "../../mod/proc/pid_stat.ts";
import { maybeValue } from "../../mod/reading.ts";
import { printable } from "../../mod/report/printable.ts";
import { isNotInstalled } from "../../mod/services/systemctl.ts";
import { causesIn } from "../../mod/services/test_verdict.ts";
import type { WebKind } from "../../mod/services/web_program.ts";
import type { Clock } from "../clock.ts";
import { waitAtMost } from "../deadline.ts";
import { continueProcesses, endProcesses } from "../signal.ts";
import { identitiesOf } from "./identities.ts";
import { endAbandonedStops } from "./abandoned_stops.ts";
import { runInWords } from "./command_text.ts";
import { maybeListeners, maybeSocketInodes } from "./listeners.ts";
import type { ServiceOutcome } from "./service_outcome.ts";
import {
  maybeBoundCommand,
  maybeLaunchCommand,
  maybeResetCommand,
  maybeStatusCommand,
  type Priority,
} from "./service_commands.ts";
import { maybeTested } from "./tested.ts";
import { lookAtServices, type LookPorts, maybeServiceIn } from "./web_look.ts";

/** What starting takes. */
export interface StartPorts extends LookPorts {
  readonly clock: Clock;
}

/** How long each step may take. */
export interface StartOptions {
  /** Milliseconds that nginx waits for a php-fpm that takes long to start. Default: 10000. */
  readonly fpmFirstMs?: number;
  /** Milliseconds for a test of the configuration. Default: 10000. */
  readonly testDeadlineMs?: number;
  /** Milliseconds for the command that starts. Default: 30000. */
  readonly startDeadlineMs?: number;
  /** Milliseconds until it must be seen to serve, after the command that starts it. Default: 10000. */
  readonly serveMs?: number;
}

/** Most of a site may need no PHP, and a php-fpm that hangs may never come. */
const FPM_FIRST_MS = 10_000;

/** Testing loads all extensions and certificates; names of upstreams are looked up, where DNS may be slow. */
const TEST_DEADLINE_MS = 10_000;

/** systemd waits for the daemon; after a stop that hangs also for the end of that. */
const START_DEADLINE_MS = 30_000;

/** The web serves already, and waits for nobody: what takes longer is started by systemd all the same. */
const BOUND_DEADLINE_MS = 10_000;

/** After an overload all files come from disk again. */
const SERVE_MS = 10_000;

/** A stop that was under way shows within this: a master that got its signal listens no more, or is gone. */
const SETTLE_MS = 1_000;

/** systemd only forgets something here. */
const RESET_DEADLINE_MS = 5_000;

/** The journal is on a disk that may be slow. */
const STATUS_DEADLINE_MS = 5_000;

const POLL_MS = 100;

/** State of a process that a signal has stopped. */
const STOPPED = "T";

/** Of a unit that somebody has masked; Debian masks those of packages that are removed. */
const MASKED = "masked";

/** Starts exactly these services, each tried once. Never rejects. */
export async function startServices(
  services: readonly ServiceRef[],
  ports: StartPorts,
  options: StartOptions = {},
): Promise<readonly ServiceOutcome[]> {
  const ofKind = (kind: WebKind): readonly ServiceRef[] =>
    services.filter((service) => service.kind === kind);
  const outcomes = new Map<ServiceRef, ServiceOutcome>();
  const startAll = async (refs: readonly ServiceRef[]): Promise<void> => {
    await Promise.all(refs.map(async (ref) => outcomes.set(ref, await startOne(ref, ports, options))));
  };
  const fpm = startAll(ofKind("php-fpm"));
  await waitAtMost(options.fpmFirstMs ?? FPM_FIRST_MS, fpm, ports.clock);
  await Promise.all([fpm, startAll(ofKind("nginx"))]);
  return services.flatMap((ref) => outcomes.get(ref) ?? []);
}

async function startOne(
  service: ServiceRef,
  ports: StartPorts,
  { testDeadlineMs = TEST_DEADLINE_MS, startDeadlineMs = START_DEADLINE_MS, serveMs = SERVE_MS }:
    StartOptions,
): Promise<ServiceOutcome> {
  const { clock, run, source, host } = ports;
  const startedMs = clock.monotonicMs();
  const steps: string[] = [];
  const outcome = async (ok: boolean, ...ends: readonly string[]): Promise<ServiceOutcome> => {
    const own = await lookAt(service, ports);
    const left = own === undefined ? [] : processesOf(own).map(({ pid }) => pid);
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    return { service, ok, text: [...steps, ...ends].join("; "), tookMs, left };
  };

  const abandoned = await endAbandonedStops(service, ports);
  if (abandoned.length > 0) steps.push(`ended an abandoned stop of it, pid ${abandoned.join(", ")}`);
  const earlier = await lookAt(service, ports);
  const runs = earlier !== undefined && hasMasterAndWorkers(earlier);
  if (earlier !== undefined) await letGoOn(earlier, steps, ports);
  if (earlier !== undefined && earlier.ending.length > 0) await clock.sleep(SETTLE_MS);
  // systemd knows best whether it is about to end; what it has up stays up when it is started.
  if (runs && service.manager !== "systemd") {
    await clock.sleep(SETTLE_MS);
    const settled = await lookAt(service, ports);
    if (settled !== undefined && whyNotServing(settled, undefined, ports) === undefined) {
      return await outcome(true, "runs already");
    }
  }
  await endOrphans(earlier, steps, ports);

  const tested = runs ? undefined : await maybeTested(service, run, testDeadlineMs);
  if (tested?.verdict === "broken") steps.push(`its configuration is broken: ${tested.text}`);
  if (tested?.verdict === "unknown") steps.push(`not tested: ${tested.text}`);
  const launch = maybeLaunchCommand(service, priorityOf(ports), host);
  if (launch === undefined) return await outcome(false, "not started: what starts it is not there");
  const inodes = source.kind === "proc-root" && !runs ? listeningInodes(source.root, "self") : undefined;
  const reset = maybeResetCommand(service, host);
  if (reset !== undefined) await runInWords(reset, run, RESET_DEADLINE_MS);
  const { result, text } = await runInWords(launch, run, startDeadlineMs);
  steps.push(text);

  const endMs = clock.monotonicMs() + (result.code === 0 ? serveMs : POLL_MS);
  while (true) {
    const own = await lookAt(service, ports);
    const missing = own === undefined ? "it cannot be seen" : whyNotServing(own, inodes, ports);
    if (missing === undefined) return await outcome(true, "serves", ...await startBound(service, ports));
    if (clock.monotonicMs() >= endMs) {
      const isGone = tested?.isMissing || own?.file?.state?.loadState === MASKED ||
        (service.manager === "systemd" && isNotInstalled(result.code));
      const failure = await outcome(false, `does not serve: ${missing}`, ...await causesOf(service, ports));
      return { ...failure, isGone };
    }
    await clock.sleep(POLL_MS);
  }
}

/**
 * Starts what systemd stopped because the service was stopped. One that does not start is told, and does not keep the web
 * from counting as given back.
 */
async function startBound(service: ServiceRef, { run, host }: StartPorts): Promise<readonly string[]> {
  const command = maybeBoundCommand(service, host);
  return command === undefined ? [] : [(await runInWords(command, run, BOUND_DEADLINE_MS)).text];
}

/** What nginx or php-fpm itself said last, where its unit keeps that. */
async function causesOf(service: ServiceRef, { run, host }: StartPorts): Promise<readonly string[]> {
  const [program, ...args] = maybeStatusCommand(service, host) ?? [];
  if (program === undefined) return [];
  const { stdout } = await run(program, args, { deadlineMs: STATUS_DEADLINE_MS });
  return causesIn(stdout).slice(0, 1).map((cause) => `it said: ${printable(cause)}`);
}

async function lookAt(service: ServiceRef, ports: StartPorts): Promise<OwnService | undefined> {
  return maybeServiceIn(await lookAtServices(ports), service);
}

/** A php-fpm whose pools are all `ondemand` has no workers until somebody asks. */
function hasMasterAndWorkers({ ref, masters, workers }: OwnService): boolean {
  return masters.length > 0 && (workers.length > 0 || ref.kind === "php-fpm");
}

/** An agent that was killed while it ended a service may have left processes stopped. */
async function letGoOn(own: OwnService, steps: string[], ports: StartPorts): Promise<void> {
  const stopped = processesOf(own).filter(({ state }) => state === STOPPED);
  if (ports.source.kind !== "proc-root" || stopped.length === 0) return;
  steps.push(`SIGCONT to ${stopped.length} stopped processes`);
  await continueProcesses(identitiesOf(stopped), { ...ports, root: ports.source.root });
}

/** Workers that were left by an earlier master keep its sockets, and nothing else can start on them. */
async function endOrphans(own: OwnService | undefined, steps: string[], ports: StartPorts): Promise<void> {
  const orphans = own?.orphans ?? [];
  // One whose title could not be read may be the master.
  if (ports.source.kind !== "proc-root" || orphans.length === 0) return;
  if (own?.masters.length !== 0 || orphans.some(({ argv }) => argv === undefined)) return;
  const targets = identitiesOf(orphans);
  steps.push(`ended ${targets.length} workers without a master`);
  await endProcesses(targets, { ...ports, root: ports.source.root }, { termFirst: true });
}

/** What is missing for a service to serve; undefined when nothing is. */
function whyNotServing(
  own: OwnService,
  inodesBefore: ReadonlySet<number> | undefined,
  { source }: StartPorts,
): string | undefined {
  const [master] = own.masters;
  if (master === undefined) {
    const pids = own.ending.map(({ pid }) => pid).join(", ");
    return pids === "" ? "it has no master" : `its master, pid ${pids}, got a signal and is about to end`;
  }
  if (!hasMasterAndWorkers(own)) return "it has no workers";
  if (source.kind !== "proc-root") return undefined;
  const now = listeningInodes(source.root, master.pid);
  if (now === undefined) return undefined;
  // Whose a socket is cannot always be seen; then a new one must do.
  const owned = maybeSocketInodes(source.root, master.pid);
  const isServing = [...now].some((inode) => owned?.has(inode) ?? !inodesBefore?.has(inode));
  return isServing ? undefined : "it listens on nothing";
}

function listeningInodes(root: string, pid: number | "self"): ReadonlySet<number> | undefined {
  const listeners = maybeListeners(root, pid);
  return listeners === undefined ? undefined : new Set(listeners.map(({ inode }) => inode));
}

/** How the kernel treats this program, as far as the proc root tells. */
function priorityOf({ source, host }: StartPorts): Priority {
  if (source.kind !== "proc-root") return { niceness: undefined, oomScore: undefined };
  const stat = maybeValue(host.readText(`${source.root}/self/stat`));
  const score = maybeValue(host.readText(`${source.root}/self/oom_score_adj`));
  return {
    niceness: stat === undefined ? undefined : maybeNiceness(stat),
    oomScore: score === undefined ? undefined : Number(score),
  };
}

function maybeNiceness(stat: string): number | undefined {
  try {
    return parsePidStat(stat).niceness;
  } catch {
    return undefined;
  }
}
