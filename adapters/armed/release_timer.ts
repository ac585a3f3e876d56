/**
 * A timer of systemd that gives the web back when the agent does not: it was killed for good, or its program is broken.
 *
 * While a pause lasts, `loadweir-release.timer` is set to some time after its end. The agent takes it away when it has
 * given the web back; else it runs `loadweir release --left`, which leaves an agent at work alone, ends one that hangs, and acts by itself.
 */

import { endOfHold } from "../../mod/hold/end_of_hold.ts";
import type { Ledger } from "../../mod/hold/ledger.ts";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import { BIND_PROC } from "../../mod/ship/unit.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import { runInWords } from "../web/command_text.ts";
import { isSystemdHost } from "../web/service_files.ts";

/** The timer, and the service that it starts. */
const UNIT = "loadweir-release";

/** After the end of a pause: the agent looks at it within a pass and a re-check, and php-fpm may start slowly. */
const GRACE_MS = 30_000;

/** systemd answers in milliseconds; on a host that is overloaded it may take seconds. */
const DEADLINE_MS = 10_000;

/** From an attempt that failed to the next: on a host that is overloaded the load may have fallen by then. */
const RETRY_MS = 60_000;

/** Follows the pauses of an agent. Nothing here throws or rejects. */
export interface ReleaseTimer {
  /** Makes the timer as the ledger wants it, in the background, and tries again when it failed. Cheap when it is so. */
  readonly follow: (ledger: Ledger) => void;
  /** Settles when it is as it was last wanted, or cannot be. */
  readonly idle: () => Promise<void>;
}

/** What a timer works with. */
export interface ReleaseTimerPorts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly run: RunCommand;
  readonly host: Pick<HostFiles, "exists">;
  readonly rules: () => Pick<LadderRules, "maxHoldMs" | "onMaxHold">;
  /** This program. */
  readonly programPath: string;
  /** Told once that a pause has no timer, and why. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** Opens a follower. Without systemd it does nothing: there whoever revives the agent is the net. */
export function openReleaseTimer(ports: ReleaseTimerPorts): ReleaseTimer {
  const { clock, run, host, rules, programPath, tellChange } = ports;
  if (!isSystemdHost(host)) return { follow(): void {}, idle: () => Promise.resolve() };
  /** Null is not known: an agent before may have left one. */
  let wanted: number | undefined | null = null;
  /** The words of one failure have times in them that those of the next have not. */
  let isToldOf = false;
  /** When what is wanted is tried again; undefined while it is so, or is being made so. */
  let retryMs: number | undefined;
  let working: Promise<void> = Promise.resolve();

  /** Tells whether it was done. */
  async function set(endMs: number | undefined): Promise<boolean> {
    const stopped = await run(toolAt("systemctl"), ["stop", `${UNIT}.timer`], { deadlineMs: DEADLINE_MS });
    if (endMs === undefined) {
      tellChange("release timer", undefined);
      // Any other end says that there is none.
      return !stopped.timedOut;
    }
    const seconds = Math.max(1, Math.ceil((endMs + GRACE_MS - clock.monotonicMs()) / 1000));
    const { result, text } = await runInWords(
      [
        toolAt("systemd-run"),
        "--quiet",
        "--collect",
        `--unit=${UNIT}`,
        `--on-active=${seconds}s`,
        "--timer-property=AccuracySec=1s",
        // With a proc root it also starts what no manager starts.
        `--property=${BIND_PROC}`,
        programPath,
        "release",
        "--left",
        "the pause is over, and the agent has not given the web back",
      ],
      run,
      DEADLINE_MS,
    );
    const isSet = result.code === 0;
    if (isSet) tellChange("release timer", undefined);
    else if (!isToldOf) {
      tellChange("release timer", `no timer gives the web back if this agent is gone, trying again: ${text}`);
    }
    isToldOf = !isSet;
    return isSet;
  }

  function toolAt(name: string): string {
    return [`/usr/bin/${name}`, `/bin/${name}`].find(host.exists) ?? `/usr/bin/${name}`;
  }

  return {
    follow({ hold }: Ledger): void {
      const endMs = hold && endOfHold(hold, rules());
      const isRetry = retryMs !== undefined && clock.monotonicMs() >= retryMs;
      if (endMs === wanted && !isRetry) return;
      wanted = endMs;
      retryMs = undefined;
      working = working.then(() => set(endMs)).catch(() => false).then((isDone) => {
        if (!isDone && endMs === wanted) retryMs = clock.monotonicMs() + RETRY_MS;
      });
    },
    idle: () => working,
  };
}
