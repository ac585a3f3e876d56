/**
 * Tells systemd how the agent is: that it is ready, that it goes on, that it ends.
 *
 *     systemd-notify READY=1 WATCHDOG=1 "STATUS=NORMAL, load 1m 20.0 %, 5m 21.5 %"
 *
 * It takes a datagram, which the runtime cannot send, hence the program. That is started three times in the time after
 * which systemd takes a silent agent for dead, and when there is something else to say; not on each pass.
 *
 * @see https://www.freedesktop.org/software/systemd/man/252/sd_notify.html
 */

import type { Decision } from "../../mod/ladder/decision.ts";
import type { Pass } from "../agent.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import { runInWords } from "../web/command_text.ts";

/** What systemd gives to a service of the type `notify`. */
export interface ServiceEnvironment {
  /** Path of its socket; undefined where nobody listens. */
  readonly notifySocket: string | undefined;
  /** Microseconds of silence after which the service is killed, as text; undefined is never. */
  readonly watchdogUsec: string | undefined;
}

/** Follows the passes of an agent. Nothing here throws, rejects or waits. */
export interface ServiceNotifier {
  /** Takes a pass that has been made. The first one makes the service ready. */
  readonly pass: (pass: Pick<Pass, "decision" | "lateMs">) => void;
  /** Takes that the agent waits for a pass that may be minutes away. */
  readonly waiting: () => void;
  /** Says that the agent ends: what it gives back may take longer than a watchdog waits. */
  readonly stopping: () => void;
  /** Settles when all is said, or could not be. */
  readonly idle: () => Promise<void>;
}

/** What a notifier works with. */
export interface NotifierPorts {
  readonly environment: ServiceEnvironment;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly run: RunCommand;
  readonly host: Pick<HostFiles, "exists">;
  /** Told once that systemd cannot be told, and why. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

const PROGRAMS = ["/usr/bin/systemd-notify", "/bin/systemd-notify"] as const;

/** Without a watchdog the status is still told anew from time to time. */
const QUIET_MS = 60_000;

/** Words in the time after which systemd loses its patience: two may be lost. */
const WORDS = 3;

/** A pass says more than that the agent waits for one: only where none has come in this many times as long. */
const OVERDUE = 1.5;

/** It waits until systemd has read the message, five seconds at most. */
const DEADLINE_MS = 10_000;

/** Reads what systemd has put into the environment. Never throws: what may not be read is as if it were not there. */
export function readServiceEnvironment(): ServiceEnvironment {
  return { notifySocket: maybeVariable("NOTIFY_SOCKET"), watchdogUsec: maybeVariable("WATCHDOG_USEC") };
}

/** Opens a notifier. Where no service manager listens it does nothing. */
export function openServiceNotifier(ports: NotifierPorts): ServiceNotifier {
  const { environment: { notifySocket, watchdogUsec }, clock, run, host, tellChange } = ports;
  if (notifySocket === undefined) {
    return {
      pass(): void {},
      waiting(): void {},
      stopping(): void {},
      idle: () => Promise.resolve(),
    };
  }
  const environment = { NOTIFY_SOCKET: notifySocket };
  const everyMs = watchdogUsec === undefined ? QUIET_MS : Number(watchdogUsec) / 1000 / WORDS;
  const program = PROGRAMS.find(host.exists) ?? PROGRAMS[0];
  let saidMs = -Infinity;
  let said = "";
  let isStopping = false;
  let working: Promise<void> | undefined;

  async function say(words: readonly string[]): Promise<void> {
    const { result, text } = await runInWords(
      [program, ...words],
      (path, args, options) => run(path, args, { ...options, environment }),
      DEADLINE_MS,
    );
    tellChange("service manager", result.code === 0 ? undefined : `systemd is not told: ${text}`);
  }

  function begin(words: readonly string[]): void {
    working = say(words).catch(() => {}).finally(() => working = undefined);
  }

  return {
    pass({ decision, lateMs }): void {
      // A loop that is as late as this does not go on as it should, and one word at a time is enough.
      if (isStopping || lateMs > everyMs || working !== undefined) return;
      const nowMs = clock.monotonicMs();
      const standing = standingOf(decision);
      if (standing === said && nowMs - saidMs < everyMs) return;
      [said, saidMs] = [standing, nowMs];
      begin(["READY=1", "WATCHDOG=1", `STATUS=${statusText(decision)}`]);
    },
    waiting(): void {
      if (isStopping || working !== undefined || said === "") return;
      const nowMs = clock.monotonicMs();
      if (nowMs - saidMs < everyMs * OVERDUE) return;
      saidMs = nowMs;
      begin(["WATCHDOG=1"]);
    },
    stopping(): void {
      if (isStopping) return;
      isStopping = true;
      const before = working ?? Promise.resolve();
      working = before.then(() => say(["STOPPING=1", "STATUS=gives everything back"])).catch(() => {});
    },
    idle: () => working ?? Promise.resolve(),
  };
}

/** What is said at once when it changes. */
function standingOf({ tier, paused }: Decision): string {
  return `${tier.toUpperCase()}${paused ? ", the web is paused" : ""}`;
}

/** `MAX, the web is paused, load 1m 700.0 %, 5m 455.0 %` */
function statusText(decision: Decision): string {
  const { load1Percent, load5Percent } = decision;
  if (load1Percent === undefined || load5Percent === undefined) return standingOf(decision);
  return `${standingOf(decision)}, load 1m ${load1Percent.toFixed(1)} %, 5m ${load5Percent.toFixed(1)} %`;
}

function maybeVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}
