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
  /** What is found of pressure now, one line each; empty where nothing is watched. */
  readonly pressure: () => readonly string[];
}

/** Collects evidence, one at a time. Nothing here throws or rejects. */
export interface EvidenceCollector {
  /** Begins to look, unless it does already; nobody waits for it. */
  readonly capture: () => void;
  /**
   * What was seen last, if that is not too old, else what is seen now.
   *
   * @param withTools Whether with processes and CPU figures; else pressure alone
   */
  readonly take: (withTools: boolean) => Promise<readonly MailSection[]>;
}

/** `ps` reads all command lines, any of which can hang; `vmstat` takes a second to look twice. */
const DEADLINE_MS = 5_000;

/** Longer than a re-check, a stop that hangs and the gap between two mails. */
const FRESH_MS = 90_000;

/** A collector that has seen nothing yet. */
export function createEvidenceCollector({ run, clock, pressure }: EvidencePorts): EvidenceCollector {
  let running: Promise<readonly MailSection[]> | undefined;
  let seen: { readonly sections: readonly MailSection[]; readonly atMs: number } | undefined;
  let found: { readonly sections: readonly MailSection[]; readonly atMs: number } | undefined;

  function findPressure(): readonly MailSection[] {
    const lines = pressure();
    const sections = lines.length === 0 ? [] : [{ title: `pressure, ${timestamp(clock.wallMs())}`, lines }];
    found = { sections, atMs: clock.monotonicMs() };
    return sections;
  }

  async function look(): Promise<readonly MailSection[]> {
    const at = timestamp(clock.wallMs());
    const ofPressure = findPressure();
    const [ps, vmstat] = await Promise.all([
      runHostTool(run, "ps", TOP_ARGUMENTS, DEADLINE_MS),
      runHostTool(run, "vmstat", ["-w", "1", "2"], DEADLINE_MS),
    ]);
    const pools = renderFpmPools(ps.stdout);
    return [
      ...ofPressure,
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

  function isFresh<T extends { readonly atMs: number }>(what: T | undefined): what is T {
    return what !== undefined && clock.monotonicMs() - what.atMs < FRESH_MS;
  }

  return {
    capture: (): void => void begin(),
    take: async (withTools): Promise<readonly MailSection[]> => {
      if (!withTools) return isFresh(found) ? found.sections : findPressure();
      return running === undefined && isFresh(seen) ? seen.sections : await begin();
    },
  };
}

function failureOf(name: string, { code, stderr, timedOut }: CommandResult): string {
  return timedOut
    ? `${name} gave no answer within ${DEADLINE_MS} ms`
    : `${name} exited ${code}: ${stderr.trim()}`;
}
