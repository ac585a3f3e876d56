/**
 * A timer of systemd that gives the web back when the agent does not: it was killed for good, or its program is broken.
 *
 * While a pause lasts, `loadweir-release.timer` is set to some time after its end. The agent takes it away when it has
 * given the web back; else it runs `loadweir release`, which asks a running agent and acts by itself without one.
 */

import { endOfHold } from "../../mod/hold/end_of_hold.ts";
import type { Ledger } from "../../mod/hold/ledger.ts";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import { durationText } from "../../mod/report/duration.ts";
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

/** Follows the pauses of an agent. Nothing here throws or rejects. */
export interface ReleaseTimer {
  /** Makes the timer as the ledger wants it, in the background. Cheap when nothing has changed. */
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
  let working: Promise<void> = Promise.resolve();

  async function set(endMs: number | undefined): Promise<void> {
    await run(toolAt("systemctl"), ["stop", `${UNIT}.timer`], { deadlineMs: DEADLINE_MS });
    if (endMs === undefined) return tellChange("release timer", undefined);
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
        "the pause is over, and the agent has not given the web back",
      ],
      run,
      DEADLINE_MS,
    );
    const problem = result.code === 0
      ? undefined
      : `no timer gives the web back in ${durationText(seconds * 1000)} if this agent is gone: ${text}`;
    tellChange("release timer", problem);
  }

  function toolAt(name: string): string {
    return [`/usr/bin/${name}`, `/bin/${name}`].find(host.exists) ?? `/usr/bin/${name}`;
  }

  return {
    follow({ hold }: Ledger): void {
      const endMs = hold && endOfHold(hold, rules());
      if (endMs === wanted) return;
      wanted = endMs;
      working = working.then(() => set(endMs)).catch(() => {});
    },
    idle: () => working,
  };
}
