/** Reloads nginx by its service manager, and makes sure that it has taken the configuration. */

import { findErrorLogs } from "../../mod/nginx/error_log.ts";
import { type Emergency, parseEmergencies } from "../../mod/nginx/log_line.ts";
import { judgeReload, servesAsBefore } from "../../mod/nginx/reload_proof.ts";
import { parsePidStat } from "../../mod/proc/pid_stat.ts";
import type { NginxInstance } from "../../mod/processes/web_tier.ts";
import { failed, mapReading, maybeValue, ok, type Reading, whyMissing } from "../../mod/reading.ts";
import { createHostFiles, type HostFiles } from "../check/host_files.ts";
import { runHostTool } from "../host_tool.ts";
import { type LogTail, tailLog } from "./log_tail.ts";
import {
  NGINX_CONF,
  type NginxPorts,
  readInstance,
  readInstanceOnce,
  type RunningNginx,
} from "./our_nginx.ts";

/** What became of a reload. */
export interface ReloadOutcome {
  readonly kind: "taken" | "not-sent" | "not-taken";
  /** For people: what proves it, or why it was not taken. */
  readonly text: string;
  /** Whether nginx serves with the very workers that it had. */
  readonly servesAsBefore: boolean;
}

/** A unit or script only has to send a signal; one that tests the configuration first takes seconds. */
const RELOAD_DEADLINE_MS = 15_000;

const KILL_DEADLINE_MS = 5_000;

/**
 * On a quiet host new workers are there in 50 ms and old ones told to go in 150. On an overloaded one all of
 * them wait for the CPU; and nginx tries for 2.5 s to get a port that is taken.
 */
export const PROOF_DEADLINE_MS = 15_000;

const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 500;

/** After that long without a sign the master is told directly. */
const MANAGER_PATIENCE_MS = 5_000;

const GONE = "the master process of nginx has ended";

/** Exit code of a program that could not be started: it may be in the other folder. */
const NOT_STARTED = 127;

/** Programs that reload, by manager, as older systems spell them too. */
const RELOADERS = {
  systemd: {
    programs: ["/usr/bin/systemctl", "/bin/systemctl"],
    args: (name: string) => ["reload", "--", name],
  },
  sysv: { programs: ["/usr/sbin/service", "/sbin/service"], args: (name: string) => [name, "reload"] },
} as const;

/** Why nginx could not be reloaded here at all; undefined when it can be. */
export function whyNoReload(
  { manager, serviceName }: RunningNginx,
  { source }: NginxPorts,
): string | undefined {
  if (source.kind === "proc-root" || (manager !== "none" && serviceName !== undefined)) return undefined;
  return "no service manager reloads nginx, and without a proc root no process is signalled, " +
    "mount /proc at /run/loadweir/proc as `loadweir check` says";
}

/** Reloads and looks until it is clear what came of it. Never rejects. */
export async function reloadNginx(
  nginx: RunningNginx,
  ports: NginxPorts,
  proofDeadlineMs = PROOF_DEADLINE_MS,
): Promise<ReloadOutcome> {
  const reading = await readInstance(nginx.instance, ports);
  if (reading.kind !== "there") {
    const text = reading.kind === "gone" ? GONE : reading.why;
    return { kind: "not-sent", text, servesAsBefore: true };
  }
  const before = reading.instance;
  const logs = errorLogs(nginx, ports).map((path) => tailLog(path));
  const startedMs = ports.clock.monotonicMs();
  const way = await sendReload(nginx, before, ports);
  if (way.kind !== "ok") return { kind: "not-sent", text: whyMissing(way) ?? "", servesAsBefore: true };
  const watch = { before, logs, emergencies: [], startedMs };
  if (way.value.isSignal || ports.source.kind !== "proc-root") {
    return await prove({ ...watch, way: way.value.text, deadlineMs: proofDeadlineMs }, ports);
  }
  const firstMs = Math.min(MANAGER_PATIENCE_MS, proofDeadlineMs);
  const first = await prove({ ...watch, way: way.value.text, deadlineMs: firstMs }, ports);
  if (!first.isOpen) return first;
  // Debian's script succeeds also when it finds no pid file and signals nobody.
  const signal = await hangUp(before.master, ports);
  if (signal.kind !== "ok") return first;
  const second = `${signal.value}, since ${way.value.text} did nothing in ${firstMs} ms`;
  return await prove({ ...watch, way: second, deadlineMs: proofDeadlineMs }, ports);
}

function errorLogs(
  { confPath = NGINX_CONF }: RunningNginx,
  { host = createHostFiles() }: NginxPorts,
): readonly string[] {
  return findErrorLogs({
    mainPath: confPath,
    filesIn: (folder) =>
      host.list(folder).filter(({ isFile }) => isFile).map(({ name }) => `${folder}/${name}`),
    maybeText: (path) => maybeValue(host.readText(path)),
  });
}

/** How a reload was sent. */
interface Way {
  /** For people. */
  readonly text: string;
  /** By a signal to the master, not by its service manager. */
  readonly isSignal: boolean;
}

/** By the service manager; where that fails or hangs, by a signal. */
async function sendReload(
  { manager, serviceName }: RunningNginx,
  { master }: NginxInstance,
  ports: NginxPorts,
): Promise<Reading<Way>> {
  const bySignal = (text: string): Way => ({ text, isSignal: true });
  if (manager === "none" || serviceName === undefined) {
    return mapReading(await hangUp(master, ports), bySignal);
  }
  const { programs, args } = RELOADERS[manager];
  const problem = await maybeProblemOf(programs, args(serviceName), ports);
  if (problem === undefined) {
    return ok({
      text: manager === "sysv" ? `service ${serviceName}` : `unit ${serviceName}`,
      isSignal: false,
    });
  }
  const way = await hangUp(master, ports);
  return way.kind === "ok"
    ? ok(bySignal(`${way.value}, since ${problem}`))
    : failed(`${problem}; ${whyMissing(way)}`);
}

/** Runs the first of some programs that is there; gives what went wrong, undefined when nothing did. */
async function maybeProblemOf(
  programs: readonly string[],
  args: readonly string[],
  { run }: NginxPorts,
): Promise<string | undefined> {
  let problem = "";
  for (const program of programs) {
    const line = `"${[program, ...args].join(" ")}"`;
    const { code, stderr, timedOut } = await run(program, args, { deadlineMs: RELOAD_DEADLINE_MS });
    if (timedOut) return `${line} gave no answer within ${RELOAD_DEADLINE_MS} ms`;
    if (code === 0) return undefined;
    problem = `${line} exited ${code}: ${stderr.trim()}`;
    if (code !== NOT_STARTED) break;
  }
  return problem;
}

/** Sends SIGHUP, which ends whatever is no daemon, so only after another look at whose pid it is. */
async function hangUp(
  { pid, startTicks }: NginxInstance["master"],
  { run, source, host = createHostFiles() }: NginxPorts,
): Promise<Reading<string>> {
  if (source.kind !== "proc-root") return failed("without a proc root no process is signalled");
  if (startTicksOf(`${source.root}/${pid}/stat`, host) !== startTicks) {
    return failed(`master ${pid} has ended`);
  }
  const { code, stderr } = await runHostTool(run, "kill", ["-HUP", `${pid}`], KILL_DEADLINE_MS);
  return code === 0 ? ok(`SIGHUP to ${pid}`) : failed(`"kill -HUP ${pid}" exited ${code}: ${stderr.trim()}`);
}

function startTicksOf(path: string, host: HostFiles): number | undefined {
  try {
    return parsePidStat(maybeValue(host.readText(path)) ?? "", path).startTicks;
  } catch {
    return undefined;
  }
}

/** A reload that was sent. */
interface SentReload {
  readonly before: NginxInstance;
  readonly logs: readonly LogTail[];
  /** What was logged so far; added to. */
  readonly emergencies: Emergency[];
  /** How it was sent, for people. */
  readonly way: string;
  readonly startedMs: number;
  readonly deadlineMs: number;
}

/** What was seen of a reload. */
interface ProofOutcome extends ReloadOutcome {
  /** Whether nothing spoke for or against it until the deadline. */
  readonly isOpen: boolean;
}

async function prove(
  { before, logs, emergencies, way, startedMs, deadlineMs }: SentReload,
  ports: NginxPorts,
): Promise<ProofOutcome> {
  const { clock } = ports;
  const endMs = clock.monotonicMs() + deadlineMs;
  let blindness: string | undefined = logs.length === 0 ? "no log file of it is known" : undefined;
  let seen: NginxInstance | undefined = before;
  let open = `no new worker within ${deadlineMs} ms`;
  for (let pollMs = FIRST_POLL_MS;; pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS)) {
    await clock.sleep(pollMs);
    const now = await readInstanceOnce(before, ports);
    // After the processes, so that what a worker logged before it was seen is read.
    const texts = logs.map((log) => log.readNew());
    emergencies.push(...texts.flatMap((text) => parseEmergencies(maybeValue(text) ?? "")));
    if (logs.length > 0) blindness = texts.map(whyMissing).find((why) => why !== undefined);
    const isLate = clock.monotonicMs() >= endMs;
    if (now.kind === "unknown") {
      open = now.why;
    } else {
      seen = now.kind === "there" ? now.instance : undefined;
      const verdict = judgeReload(before, seen, emergencies);
      if (verdict.kind === "refused") return outcome("not-taken", verdict.why);
      if (verdict.kind === "taken" || (verdict.kind === "overlapping" && isLate)) {
        const tookMs = clock.monotonicMs() - startedMs;
        const late = verdict.kind === "taken" ? "" : ", old ones have not let go yet";
        const blind = blindness === undefined ? "" : `, seen by its workers alone: ${blindness}`;
        return outcome("taken", `${way}, new workers after ${tookMs} ms${late}${blind}`);
      }
    }
    if (isLate) return { ...outcome("not-taken", open), isOpen: true };
  }

  function outcome(kind: ReloadOutcome["kind"], text: string): ProofOutcome {
    return { kind, text, servesAsBefore: servesAsBefore(before, seen), isOpen: false };
  }
}
