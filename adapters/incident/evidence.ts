/**
 * Evidence for a mail: what the host was doing, as far as two quick programs can tell.
 *
 * It is best captured while a drastic tier is being looked at again: once the web is paused, php-fpm is gone
 * from the process list.
 */

import { renderFpmPools, renderTopProcesses, TOP_ARGUMENTS } from "../../mod/incident/top_processes.ts";
import type { MailSection } from "../../mod/incident/mail.ts";
import { timestamp } from "../../mod/report/timestamp.ts";
import type { Clock } from "../clock.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import { runHostTool } from "../host_tool.ts";

/** What evidence is made with. */
export interface EvidencePorts {
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "monotonicMs" | "wallMs">;
}

/** Collects evidence, one at a time. Nothing here throws or rejects. */
export interface EvidenceCollector {
  /** Begins to look, unless it does already; nobody waits for it. */
  readonly capture: () => void;
  /** What was seen last, if that is not too old, else what is seen now. */
  readonly take: () => Promise<readonly MailSection[]>;
}

/** `ps` reads all command lines, any of which can hang; `vmstat` takes a second to look twice. */
const DEADLINE_MS = 5_000;

/** Longer than a re-check, a stop that hangs and the gap between two mails. */
const FRESH_MS = 90_000;

/** A collector that has seen nothing yet. */
export function createEvidenceCollector({ run, clock }: EvidencePorts): EvidenceCollector {
  let running: Promise<readonly MailSection[]> | undefined;
  let seen: { readonly sections: readonly MailSection[]; readonly atMs: number } | undefined;

  async function look(): Promise<readonly MailSection[]> {
    const at = timestamp(clock.wallMs());
    const [ps, vmstat] = await Promise.all([
      runHostTool(run, "ps", TOP_ARGUMENTS, DEADLINE_MS),
      runHostTool(run, "vmstat", ["-w", "1", "2"], DEADLINE_MS),
    ]);
    const pools = renderFpmPools(ps.stdout);
    return [
      {
        title: `processes by CPU, ${at}`,
        lines: ps.code === 0 ? renderTopProcesses(ps.stdout) : [failureOf("ps", ps)],
      },
      ...pools.length === 0 ? [] : [{ title: `php-fpm, ${at}`, lines: pools }],
      {
        title: `vmstat, ${at}`,
        lines: vmstat.code === 0 ? vmstat.stdout.trimEnd().split("\n") : [failureOf("vmstat", vmstat)],
      },
    ];
  }

  function begin(): Promise<readonly MailSection[]> {
    running ??= look().then((sections) => {
      seen = { sections, atMs: clock.monotonicMs() };
      return sections;
    }, () => []).finally(() => running = undefined);
    return running;
  }

  return {
    capture: (): void => void begin(),
    take: async (): Promise<readonly MailSection[]> => {
      if (running === undefined && seen !== undefined && clock.monotonicMs() - seen.atMs < FRESH_MS) {
        return seen.sections;
      }
      return await begin();
    },
  };
}

function failureOf(name: string, { code, stderr, timedOut }: CommandResult): string {
  return timedOut
    ? `${name} gave no answer within ${DEADLINE_MS} ms`
    : `${name} exited ${code}: ${stderr.trim()}`;
}
